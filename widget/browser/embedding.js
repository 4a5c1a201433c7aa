// The widget within the page of somebody else: it takes the theme that its link asks for, and tells the page around
// its frame how high it is.

const VERSION = 1;
const THEMES = ["light", "dark"];

/**
 * @param {HTMLElement} root the widget
 * @param {AbortSignal} signal ends it
 */
export function fitIn(root, signal) {
  if (!root.hasAttribute("data-address")) return;
  takeTheme(root);
  addEventListener("hashchange", () => takeTheme(root), { signal });
  if (window.parent !== window) {
    document.documentElement.dataset.framed = "";
    tellHeight(root.closest("main") ?? root, signal);
  }
}

/** @param {HTMLElement} root */
function takeTheme(root) {
  const [inHash, inQuery] = [location.hash.slice(1), location.search].map((text) =>
    new URLSearchParams(text).get("theme"),
  );
  const theme = inHash ?? inQuery;
  const isKnown = typeof theme !== "string" || THEMES.includes(theme);
  if (isKnown && typeof theme === "string") document.documentElement.dataset.theme = theme;
  notify(
    root,
    isKnown ? "" : `The link asks for the theme “${theme.slice(0, 20)}”. There is: ${THEMES.join(", ")}.`,
  );
}

/**
 * Show a line of what the reader should know; an empty one goes away.
 *
 * @param {HTMLElement} root
 * @param {string} sentence
 */
export function notify(root, sentence) {
  const notice = root.querySelector("[data-notice]");
  if (notice !== null) notice.textContent = sentence;
}

/**
 * Tell the page around how high the content is, whenever that changes. It depends on the frame's width and never on
 * its height, so a page that obeys is not told anything new by obeying.
 *
 * @param {Element} content
 * @param {AbortSignal} signal
 */
function tellHeight(content, signal) {
  let height = 0;
  let hostSpeaksH5p = false;
  // A height is no secret, and whose page this is cannot be known.
  const post = (/** @type {object} */ message) => window.parent.postMessage(message, "*");
  const postH5p = (/** @type {string} */ action) =>
    post({ context: "h5p", action, scrollHeight: height, clientHeight: height });
  const tell = () => {
    post({ source: "kv-pool", v: VERSION, type: "height", height });
    post({ subject: "lti.frameResize", height });
    if (hostSpeaksH5p) postH5p("prepareResize");
  };
  const observer = new ResizeObserver(() => {
    const now = Math.ceil(content.getBoundingClientRect().height);
    // In full screen the page behind is empty, and a hidden frame has no height at all.
    if (now === 0 || now === height || document.fullscreenElement !== null) return;
    height = now;
    tell();
  });
  observer.observe(content, { box: "border-box" });
  signal.addEventListener("abort", () => observer.disconnect());

  const answerH5p = (/** @type {unknown} */ action) => {
    if (action === "ready") postH5p("hello");
    if (action === "hello") hostSpeaksH5p = true;
    if (height === 0) return; // it is told as soon as there is one
    if (action === "hello" || action === "resize") postH5p("prepareResize");
    if (action === "resizePrepared") postH5p("resize");
  };
  addEventListener(
    "message",
    ({ data, source }) => {
      if (source !== window.parent || typeof data !== "object" || data === null) return;
      if (data.context === "h5p") answerH5p(data.action);
      if (data.source === "kv-pool" && data.v === VERSION && data.type === "hello" && height > 0) tell();
    },
    { signal },
  );
  postH5p("hello");
}
