// Answers from the build's record, until Python is live. Those that are not in it wait.

import { patch } from "../patch.js";

const WAITS = "This answer waits for Python, which is on its way.";

/**
 * Show what the build recorded about the answers of a form, if it is one of the recorded variants.
 *
 * @param {HTMLFormElement} form
 * @param {{question?: number, seed?: number, fields: Record<string, string>}} command
 * @returns {string} what to say, or nothing
 */
export function answerFromRecord(form, { question, seed, fields }) {
  const kept = document.querySelector("template[data-recorded]");
  const data = kept instanceof HTMLTemplateElement ? kept.content.textContent : null;
  if (!data || question === undefined) return "";
  /** @type {import("./protocol.d.ts").Recorded} */
  const { verdicts, answers } = JSON.parse(data);
  const known = seed === 0 ? (answers[question] ?? {}) : {};
  const said = [];
  for (const place of /** @type {Iterable<HTMLElement>} */ (form.querySelectorAll("[data-verdict]"))) {
    const part = place.dataset.verdict ?? "";
    const answer = (fields[part] ?? "").trim().replace(/\s+/g, " ").toLowerCase();
    const found = verdicts[known[part]?.[answer] ?? -1];
    place.classList.toggle("kv-right", found?.[0] === true);
    place.classList.toggle("kv-wrong", found?.[0] === false);
    patch(place, answer ? (found?.[1] ?? WAITS) : "");
    said.push(place.textContent);
  }
  return said.join(" ");
}
