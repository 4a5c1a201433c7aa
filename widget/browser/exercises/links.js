// A press on a link to a variant, a sheet or a chart copies its whole address. Where the browser keeps its clipboard
// closed, the link is followed as any other, and the address bar has it.

const A_WHILE = 4000; // ms that it says so

/**
 * @param {HTMLAnchorElement} link
 * @param {Event} event the click; with a key held down it is meant for the browser
 */
export function copyLink(link, event) {
  const clipboard = navigator.clipboard;
  const isPlain =
    event instanceof MouseEvent && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!isPlain || clipboard === undefined) return;
  event.preventDefault();
  const said = link.parentElement?.querySelector("[data-copied]");
  clipboard.writeText(link.href).then(
    () => {
      if (!said) return;
      said.textContent = "The link is copied.";
      setTimeout(() => {
        said.textContent = "";
      }, A_WHILE);
    },
    () => {
      location.hash = link.hash;
    },
  );
}
