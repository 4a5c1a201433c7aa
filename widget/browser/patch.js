// Makes what is on the page equal to new markup, and touches only what differs: an element keeps its identity
// by its `data-key`, and with it the reader's focus and the running transitions. It knows nothing of memory.

/**
 * Patch the contents of an element.
 *
 * @param {Element} target
 * @param {string} markup what is to stand in it; scripts in it never run
 */
export function patch(target, markup) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  patchChildren(target, parsed.body);
}

/**
 * Put sliders where their markup says, once the reader's hand no longer moves them.
 *
 * @param {Element} target
 */
export function settle(target) {
  for (const slider of /** @type {NodeListOf<HTMLInputElement>} */ (
    target.querySelectorAll("input[type=range]")
  )) {
    if (slider.value !== slider.defaultValue) slider.value = slider.defaultValue;
  }
}

/**
 * @param {Element} current
 * @param {Element} wanted
 */
function patchChildren(current, wanted) {
  const wantedKeys = new Set(Array.from(wanted.children, keyOf));
  /** @type {Map<string, Element>} */
  const byKey = new Map();
  for (const child of [...current.children]) {
    const key = keyOf(child);
    if (key === null) continue;
    if (wantedKeys.has(key)) byKey.set(key, child);
    else child.remove();
  }
  /** @type {ChildNode | null} */
  let cursor = current.firstChild;
  for (const child of [...wanted.childNodes]) {
    const match = matchFor(child, cursor, byKey);
    if (match === null) {
      current.insertBefore(document.importNode(child, true), cursor);
    } else {
      // Moving an element takes the focus from it, so what is in place already stays untouched.
      if (match === cursor) cursor = cursor.nextSibling;
      else current.insertBefore(match, cursor);
      if (!match.isEqualNode(child)) patchNode(match, child);
    }
  }
  while (cursor !== null) {
    const next = cursor.nextSibling;
    cursor.remove();
    cursor = next;
  }
}

/**
 * @param {ChildNode} child
 * @param {ChildNode | null} cursor
 * @param {Map<string, Element>} byKey
 * @returns {ChildNode | null}
 */
function matchFor(child, cursor, byKey) {
  const key = child instanceof Element ? keyOf(child) : null;
  if (key !== null) {
    const found = byKey.get(key);
    return found !== undefined && found.nodeName === child.nodeName ? found : null;
  }
  const isFree = cursor !== null && !(cursor instanceof Element && keyOf(cursor) !== null);
  return isFree && cursor.nodeName === child.nodeName ? cursor : null;
}

/**
 * @param {ChildNode} current
 * @param {ChildNode} wanted
 */
function patchNode(current, wanted) {
  if (!(current instanceof Element && wanted instanceof Element)) {
    if (current.nodeValue !== wanted.nodeValue) current.nodeValue = wanted.nodeValue;
    return;
  }
  for (const { name } of [...current.attributes]) {
    if (!wanted.hasAttribute(name)) current.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  }
  patchChildren(current, wanted);
}

/**
 * @param {Element} element
 * @returns {string | null}
 */
function keyOf(element) {
  return element.getAttribute("data-key");
}
