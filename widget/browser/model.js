// The calculator hands a model over by the widget's link: `of`, its name, and `kv`, the bytes that its KV cache
// keeps for a token. A line then says what slots are in that model. Nothing else of the widget knows of it.

const KIB = 1024;
const SLOTS = 64;

/**
 * @param {HTMLElement} root
 * @param {string} link that the page was opened with
 */
export function tellModel(root, link) {
  const line = root.querySelector("[data-model]");
  const said = new URLSearchParams(link.replace(/^[#?]/, ""));
  const model = said.get("of") ?? "";
  const bytes = said.get("kv") ?? "";
  if (!(line instanceof HTMLElement)) return;
  if (!/^[1-9]\d{0,9}$/.test(bytes) || !/^[\w .:-]{1,60}$/.test(model)) return;
  const slot = inUnits(Number(bytes));
  line.textContent = `In ${model} a slot is ${slot} on all GPUs together, so ${SLOTS} slots are ${inUnits(SLOTS * Number(bytes))}.`;
  line.hidden = false;
}

/** @param {number} bytes */
function inUnits(bytes) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = bytes;
  while (value >= KIB && units.length > 1) {
    value /= KIB;
    units.shift();
  }
  return `${value.toLocaleString("en", { maximumFractionDigits: 2 })} ${units[0]}`;
}
