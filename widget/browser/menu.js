// A menu that closes as menus do: by Escape, by a press elsewhere, and once something in it was chosen.

/**
 * @param {HTMLElement} root
 * @param {AbortSignal} signal ends it
 */
export function closeMenus(root, signal) {
  const opened = () =>
    /** @type {NodeListOf<HTMLDetailsElement>} */ (root.querySelectorAll(".kv-menu[open]"));
  document.addEventListener(
    "click",
    ({ target }) => {
      for (const menu of opened()) {
        const isItsOwn = target instanceof Element && target.closest("summary")?.parentElement === menu;
        if (!isItsOwn) menu.open = false;
      }
    },
    { signal },
  );
  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      for (const menu of opened()) {
        menu.open = false;
        menu.querySelector("summary")?.focus();
        event.preventDefault();
      }
    },
    { signal },
  );
}
