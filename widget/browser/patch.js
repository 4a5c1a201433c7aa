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
  let here = current.firstChild;
  let there = wanted.firstChild;
  // Mostly the same children stand in the same order, and a few of them have changed.
  while (here !== null && there !== null) {
    if (!here.isEqualNode(there)) {
      if (!isSame(here, there)) break;
      patchNode(here, there);
    }
    here = here.nextSibling;
    there = there.nextSibling;
  }
  if (here !== null || there !== null) arrange(current, here, andAfter(there));
}

/**
 * Make the children from one on those that are wanted.
 *
 * @param {Element} current
 * @param {ChildNode | null} cursor
 * @param {ChildNode[]} wanted
 */
function arrange(current, cursor, wanted) {
  const wantedKeys = new Set(wanted.map(keyOf));
  /** @type {Map<string, ChildNode>} */
  const byKey = new Map();
  for (const child of andAfter(cursor)) {
    const key = keyOf(child);
    if (key === null) continue;
    if (wantedKeys.has(key)) byKey.set(key, child);
    else {
      if (child === cursor) cursor = child.nextSibling;
      child.remove();
    }
  }
  for (const child of wanted) {
    const match = matchFor(child, cursor, byKey);
    if (match === null) {
      current.insertBefore(child, cursor);
    } else {
      // Moving an element takes the focus from it, so what is in place already stays untouched.
      if (match === cursor) cursor = cursor.nextSibling;
      else current.insertBefore(match, cursor);
      if (!match.isEqualNode(child)) patchNode(match, child);
    }
  }
  for (const child of andAfter(cursor)) child.remove();
}

/**
 * A child and all that follow it.
 *
 * @param {ChildNode | null} child
 */
function andAfter(child) {
  const all = [];
  for (let next = child; next !== null; next = next.nextSibling) all.push(next);
  return all;
}

/**
 * @param {ChildNode} here
 * @param {ChildNode} there
 */
function isSame(here, there) {
  return here.nodeName === there.nodeName && keyOf(here) === keyOf(there);
}

/**
 * @param {ChildNode} child
 * @param {ChildNode | null} cursor
 * @param {Map<string, ChildNode>} byKey
 * @returns {ChildNode | null}
 */
function matchFor(child, cursor, byKey) {
  const key = keyOf(child);
  if (key !== null) {
    const found = byKey.get(key);
    return found !== undefined && found.nodeName === child.nodeName ? found : null;
  }
  const isFree = cursor !== null && keyOf(cursor) === null;
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
  for (const name of current.getAttributeNames()) {
    if (!wanted.hasAttribute(name)) current.removeAttribute(name);
  }
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name) ?? "";
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  }
  patchChildren(current, wanted);
}

/**
 * @param {ChildNode} node
 * @returns {string | null}
 */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") : null;
}
