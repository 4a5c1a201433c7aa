// The page of the notebook: a link of the widget brings a session along, after the #, and the notebook takes it.

const box = document.querySelector("[data-notebook]");
const shown = document.querySelector("[data-notebook-session]");
const told = document.querySelector("[data-notebook-told]");

// As a link of the widget begins. What it says is read, and refused if need be, by the notebook.
const IS_SESSION = /^v=\d+(&|$)/;
const TEMPLATE = /SESSION = \\"\\"\\"[^"]*\\"\\"\\"/;
const A_WHILE = 10_000; // ms that a download has to begin

let session = "";

/** @param {string} sentence */
function tell(sentence) {
  if (told !== null) told.textContent = sentence;
}

function show() {
  if (!(box instanceof HTMLElement) || shown === null) return;
  const said = location.hash.slice(1);
  if (!IS_SESSION.test(said)) return;
  session = said;
  box.hidden = false;
  shown.textContent = session;
}

async function copy() {
  try {
    await navigator.clipboard.writeText(session);
    tell("The session is copied.");
  } catch {
    if (shown !== null) getSelection()?.selectAllChildren(shown);
    tell("The browser keeps its clipboard closed. The text is selected: copy it with your keyboard or menu.");
  }
}

async function download() {
  try {
    const address = new URL(box?.getAttribute("data-notebook") ?? "", location.href);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const text = await answer.text();
    // The file is JSON, in which a quote has a backslash before it. A link of the widget holds neither.
    const quoted = session.replace(/["\\]/g, "");
    const filled = text.replace(TEMPLATE, () => `SESSION = \\"\\"\\"${quoted}\\"\\"\\"`);
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([filled], { type: "application/x-ipynb+json" }));
    anchor.download = address.pathname.split("/").at(-1) ?? "";
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), A_WHILE);
    tell("The notebook goes to your downloads.");
  } catch {
    tell("The notebook could not be fetched here. Download it above, and copy the session into it.");
  }
}

addEventListener("hashchange", show);
document.querySelector("[data-notebook-copy]")?.addEventListener("click", copy);
document.querySelector("[data-notebook-download]")?.addEventListener("click", download);
show();
