// “Copy embed”: the text that shows the widget in another page, at the step where it is now, and a preview of it.

const PAGE = new URL("../../widget.html", import.meta.url).href;
const HOST_SCRIPT = new URL("../../embed.js", import.meta.url).href;
const PADDING = 40; // px around the widget on its own page

/**
 * @param {HTMLElement} root the widget
 * @param {AbortSignal} signal ends it
 */
export function offerSnippet(root, signal) {
  const panel = root.querySelector("[data-panel=embed]");
  const field = panel?.querySelector("textarea");
  const theme = panel?.querySelector("select");
  const copy = panel?.querySelector("[data-embed-copy]");
  const ask = panel?.querySelector("[data-embed-ask]");
  const stage = panel?.querySelector("[data-embed-stage]");
  const told = panel?.querySelector("[data-embed-told]");
  if (!(panel && field && theme && copy && ask && stage && told)) return;

  let link = "v=1";
  /** @type {HTMLIFrameElement | null} */
  let preview = null;
  let shown = ""; // the address that the preview is at

  const frame = () => {
    const made = document.createElement("iframe");
    const query = theme.value === "" ? "" : `?theme=${theme.value}`;
    made.setAttribute("src", `${PAGE}${query}#${link}`);
    made.setAttribute("title", root.querySelector("[data-region=title]")?.textContent ?? "");
    made.setAttribute("width", "100%");
    made.setAttribute("height", String(heightOf(root)));
    made.setAttribute("style", "border: 0");
    made.setAttribute("loading", "lazy");
    made.setAttribute("allow", "fullscreen; clipboard-write");
    return made;
  };
  const update = () => {
    if (!(panel instanceof HTMLDetailsElement) || !panel.open) return;
    const made = frame();
    field.value = `${made.outerHTML}\n<script src="${HOST_SCRIPT}" async></script>`;
    told.textContent = "";
    // To replace leaves no entry for the back button to walk through.
    if (shown !== made.src) preview?.contentWindow?.location.replace(made.src);
    shown = made.src;
  };

  root.addEventListener(
    "kv-frame",
    (event) => {
      link = /** @type {CustomEvent<import("./protocol.d.ts").Frame>} */ (event).detail.link;
      update();
    },
    { signal },
  );
  panel.addEventListener("toggle", update, { signal });
  theme.addEventListener("change", update, { signal });
  copy.addEventListener(
    "click",
    async () => {
      try {
        await navigator.clipboard.writeText(field.value);
        told.textContent = "Copied.";
      } catch {
        field.focus();
        field.select();
        told.textContent = "The text is selected. Copy it with your keyboard or menu.";
      }
    },
    { signal },
  );
  ask.addEventListener(
    "click",
    () => {
      preview?.remove();
      preview = preview === null ? frame() : null;
      if (preview !== null) stage.append(preview);
      ask.textContent = preview === null ? "Show preview" : "Remove preview";
    },
    { signal },
  );
  addEventListener(
    "message",
    ({ data, source }) => {
      if (preview === null || source !== preview.contentWindow) return;
      if (data?.source === "kv-pool" && data.v === 1) preview.height = String(data.height);
    },
    { signal },
  );
}

/** The height of the widget with all that folds at its end folded. @param {HTMLElement} root */
function heightOf(root) {
  let height = root.offsetHeight + PADDING;
  for (const panel of root.querySelectorAll("details.kv-panel")) {
    const folded = panel.querySelector("summary");
    if (panel instanceof HTMLElement && folded !== null) height -= panel.offsetHeight - folded.offsetHeight;
  }
  return Math.ceil(height / 10) * 10;
}
