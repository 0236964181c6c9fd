import type { PatternNode } from '../../query-plan.ts';

/** Code units of a pattern; these stand for any text and for one character. */
const ANY_TEXT = -1;
const ONE_CHARACTER = -2;

/** A wildcard: what every match begins with, and the whole pattern. */
export type Wildcard = { readonly head: string; readonly steps: Int32Array };

/** `*`, `?` and `\` as `PatternNode` says; a prefix is taken as written, and any text behind it. */
export function readPattern(node: Extract<PatternNode, { kind: 'prefix' | 'wildcard' }>): Wildcard {
  const steps: number[] = [];
  const { pattern } = node;
  for (let i = 0; i < pattern.length; i++) {
    const unit = pattern[i]!;
    if (node.kind === 'prefix') steps.push(unit.charCodeAt(0));
    else if (unit === '*') steps.push(ANY_TEXT);
    else if (unit === '?') steps.push(ONE_CHARACTER);
    else if (unit === '\\' && i + 1 < pattern.length) steps.push(pattern.charCodeAt(++i));
    else steps.push(unit.charCodeAt(0));
  }
  if (node.kind === 'prefix') steps.push(ANY_TEXT);
  const special = steps.findIndex((step) => step < 0);
  const literal = special < 0 ? steps : steps.slice(0, special);
  return { head: String.fromCharCode(...literal).toWellFormed(), steps: Int32Array.from(steps) };
}

/** Whether the whole of `units[from..to)` fits. Goes back to the last `*` only: O(pattern · text). No allocation. */
export function matchesPattern(steps: Int32Array, units: Uint16Array, from: number, to: number): boolean {
  const last = steps[steps.length - 1];
  if (last !== undefined && last >= 0 && last !== units[to - 1]) return false;
  let step = 0;
  let at = from;
  let star = -1;
  let starAt = 0;
  while (at < to) {
    const width = fittingUnits(steps[step], units, at, to);
    if (steps[step] === ANY_TEXT) {
      star = step++;
      starAt = at;
    } else if (width > 0) {
      at += width;
      step++;
    } else if (star >= 0) {
      at = ++starAt;
      step = star + 1;
    } else return false;
  }
  while (steps[step] === ANY_TEXT) step++;
  return step === steps.length;
}

/** Code units that a step takes of the text, 0 = it does not fit. `wanted` undefined = the pattern is at its end. */
function fittingUnits(wanted: number | undefined, units: Uint16Array, at: number, to: number): 0 | 1 | 2 {
  if (wanted !== ONE_CHARACTER) return wanted === units[at] ? 1 : 0;
  const isPair = at + 1 < to && (units[at]! & 0xfc00) === 0xd800 && (units[at + 1]! & 0xfc00) === 0xdc00;
  return isPair ? 2 : 1;
}
