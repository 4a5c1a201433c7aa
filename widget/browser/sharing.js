// What a reader takes along: a link, a report of a problem, files to save, and a file that opens here again. Python
// makes every text but the report; this hands it to the clipboard or to the downloads, and draws the SVG as a PNG.

/**
 * @typedef {import("./protocol.d.ts").Command} Command
 * @typedef {import("./protocol.d.ts").Frame} Frame
 */

const OWN_PAGE = new URL("../../widget.html", import.meta.url).href;
const NOTEBOOK_PAGE = new URL("../../gpu.html", import.meta.url).href;
// The folder of the app's files is named by what is in them.
const BUILD = new URL(".", import.meta.url).pathname.split("/").at(-2) ?? "";

const SCALE = 2; // pixels of a PNG per unit of its SVG: sharp on a projector
const MOST_BYTES = 1_000_000; // of a file that is read; Python refuses far smaller ones
const A_WHILE = 10_000; // ms that a download has to begin

/**
 * @param {HTMLElement} root the widget
 * @param {(command: Command) => void} send to Python
 * @param {AbortSignal} signal ends it
 */
export function offerSharing(root, send, signal) {
  const told = root.querySelector("[data-shared]");
  const field = root.querySelector("textarea[data-to-copy]");
  const chooser = root.querySelector("input[data-import-file]");
  if (!(told && field instanceof HTMLTextAreaElement && chooser instanceof HTMLInputElement)) return;

  /** @type {string | null} of the newest frame */
  let link = null;
  let problem = "";
  let opening = "";

  /** @param {string} sentence */
  const tell = (sentence) => {
    if (told.textContent !== sentence) told.textContent = sentence;
  };

  const address = () => {
    const isOwnPage = root.hasAttribute("data-address");
    // Until the first frame, what the page was opened with is still on its way.
    if (link === null) return isOwnPage ? location.href : OWN_PAGE;
    return `${isOwnPage ? location.href.split("#")[0] : OWN_PAGE}#${link}`;
  };

  const leadOn = () => {
    const said = address().split("#")[1];
    const target = said === undefined ? NOTEBOOK_PAGE : `${NOTEBOOK_PAGE}#${said}`;
    root.querySelector("a[data-notebook]")?.setAttribute("href", target);
  };
  leadOn();

  const report = () => {
    const pictures = [...root.querySelectorAll("[data-pool=paged] > svg")];
    const views = pictures.map((picture) => picture.getAttribute("data-key")).join(", ");
    const stopped = root.querySelector("[data-problem]")?.textContent;
    return [
      `Link: ${address()}`,
      `Build: ${BUILD}`,
      `Browser: ${navigator.userAgent}`,
      `Mode: ${root.querySelector("[data-mode]")?.textContent}`,
      `View: ${views}, in a window of ${innerWidth} by ${innerHeight}`,
      `Last problem: ${stopped || problem || "none"}`,
    ].join("\n");
  };

  /**
   * @param {string} text
   * @param {string} done what to say once it is copied
   */
  const copy = async (text, done) => {
    try {
      await navigator.clipboard.writeText(text);
      field.hidden = true;
      tell(done);
    } catch {
      field.value = text;
      field.hidden = false;
      field.focus();
      field.select();
      tell(
        "The browser keeps its clipboard closed. The text is selected: copy it with your keyboard or menu.",
      );
    }
  };

  /** @param {File | null | undefined} file */
  const open = async (file) => {
    if (!file) return;
    try {
      const text = await file.slice(0, MOST_BYTES).text();
      opening = file.name;
      send({ type: "import", text });
    } catch {
      tell(`${file.name} could not be read. Nothing changed.`);
    }
  };

  /** @param {NonNullable<Frame["file"]>} file */
  const save = async ({ name, type, text }) => {
    try {
      const blob = type === "image/png" ? await drawn(text) : new Blob([text], { type });
      download(blob, name);
      tell(`${name} goes to your downloads.`);
    } catch {
      tell(`${name} could not be made here. Save the SVG instead.`);
    }
  };

  root.addEventListener(
    "kv-frame",
    (event) => {
      const frame = /** @type {CustomEvent<Frame>} */ (event).detail;
      const hasMoved = frame.link !== link;
      link = frame.link;
      if (hasMoved) leadOn();
      if (frame.problem !== null) problem = frame.problem;
      if (frame.file !== null) {
        save(frame.file);
        return;
      }
      // What was said, and what was there to copy, was about the step before.
      if (hasMoved) field.hidden = true;
      if (frame.problem !== null) tell(frame.problem);
      else if (opening) tell(`${opening} is open. Undo brings back what was here.`);
      else if (hasMoved) tell("");
      opening = "";
    },
    { signal },
  );
  root.addEventListener(
    "click",
    ({ target }) => {
      if (!(target instanceof Element)) return;
      if (target.closest("[data-copy=link]")) copy(address(), "The link is copied.");
      if (target.closest("[data-copy=report]")) copy(report(), "The problem report is copied.");
      if (target.closest("[data-import]")) chooser.click();
    },
    { signal },
  );
  chooser.addEventListener(
    "change",
    () => {
      open(chooser.files?.[0]);
      chooser.value = ""; // so that the same file can be chosen again
    },
    { signal },
  );
  takeDrops(root, open, signal);
  askForPanels(root, send, signal);
}

/**
 * A file that is dropped on the widget is opened.
 *
 * @param {HTMLElement} root
 * @param {(file: File | undefined) => void} open
 * @param {AbortSignal} signal
 */
function takeDrops(root, open, signal) {
  root.addEventListener(
    "dragover",
    (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      root.dataset.drop = "";
    },
    { signal },
  );
  root.addEventListener(
    "dragleave",
    ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && root.contains(relatedTarget))) delete root.dataset.drop;
    },
    { signal },
  );
  root.addEventListener(
    "drop",
    (event) => {
      delete root.dataset.drop;
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      open(file);
    },
    { signal },
  );
}

/**
 * What takes long to draw is drawn only while its panel is open.
 *
 * @param {HTMLElement} root
 * @param {(command: Command) => void} send
 * @param {AbortSignal} signal
 */
function askForPanels(root, send, signal) {
  /** @param {EventTarget | null} panel */
  const ask = (panel) => {
    if (!(panel instanceof HTMLDetailsElement && panel.matches("[data-on-demand]"))) return;
    send({ type: "open_panel", panel: panel.dataset.panel ?? "", open: panel.open });
  };
  for (const panel of root.querySelectorAll("details[open]")) ask(panel);
  root.addEventListener("toggle", ({ target }) => ask(target), { capture: true, signal });
}

/**
 * Return a picture of an SVG's text.
 *
 * @param {string} text
 * @returns {Promise<Blob>}
 */
async function drawn(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((/** @type {BlobCallback} */ resolve) =>
    canvas.toBlob(resolve, "image/png"),
  );
  if (blob === null) throw new Error("The canvas is larger than this browser draws.");
  return blob;
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), A_WHILE);
}
