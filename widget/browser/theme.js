// Which colours an element is drawn in: those of its page or frame, or the system's.

/**
 * @param {Element} element
 * @returns {"light" | "dark"}
 */
export function themeOf(element) {
  const schemes = getComputedStyle(element).colorScheme.split(" ");
  if (!schemes.includes("dark")) return "light";
  if (!schemes.includes("light")) return "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
