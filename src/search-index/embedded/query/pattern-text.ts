import type { PatternNode } from '../../query-plan.ts';

/** Code units of a pattern; these stand for any text, for one character, and for its end. */
const ANY_TEXT = -1;
const ONE_CHARACTER = -2;
const END = -3;

/** A wildcard: what every match begins with, the whole pattern, and where the text behind its last `*` begins. */
export type Wildcard = { readonly head: string; readonly steps: Int32Array; readonly tail: number };

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
  const tail = steps.includes(ONE_CHARACTER, steps.lastIndexOf(ANY_TEXT)) ? -1 : steps.lastIndexOf(ANY_TEXT) + 1;
  steps.push(END);
  return { head: String.fromCharCode(...literal).toWellFormed(), steps: Int32Array.from(steps), tail };
}

/** Whether the whole of `units[from..to)` fits. Goes back to the last `*` only: O(pattern · text). No allocation. */
export function matchesPattern({ steps, tail }: Wildcard, units: Uint16Array, from: number, to: number): boolean {
  if (tail > 0 && !endsWith(steps, tail, units, to)) return false;
  let step = 0;
  let at = from;
  let star = -1;
  let starAt = 0;
  while (at < to) {
    const wanted = steps[step]!;
    if (wanted === ANY_TEXT) {
      // What stands behind the last one has been compared.
      if (step + 1 === tail) return to - at >= steps.length - 1 - tail;
      star = step++;
      starAt = at;
      continue;
    }
    const width = fittingUnits(wanted, units, at, to);
    if (width > 0) {
      at += width;
      step++;
    } else if (star >= 0) {
      at = ++starAt;
      step = star + 1;
    } else return false;
  }
  while (steps[step] === ANY_TEXT) step++;
  return steps[step] === END;
}

/** Compares the literal text behind the last `*` with the end of a text, which may begin before it. */
function endsWith(steps: Int32Array, tail: number, units: Uint16Array, to: number): boolean {
  for (let step = steps.length - 2, at = to - 1; step >= tail; step--, at--) {
    if (at < 0 || steps[step] !== units[at]) return false;
  }
  return true;
}

/** Code units that a step takes of the text, 0 = it does not fit. */
function fittingUnits(wanted: number, units: Uint16Array, at: number, to: number): 0 | 1 | 2 {
  if (wanted !== ONE_CHARACTER) return wanted === units[at] ? 1 : 0;
  const isPair = at + 1 < to && (units[at]! & 0xfc00) === 0xd800 && (units[at + 1]! & 0xfc00) === 0xdc00;
  return isPair ? 2 : 1;
}
