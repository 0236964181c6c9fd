/** Longest word compared; tokens have at most 64 code units, and folding may lengthen them. */
const MAX_UNITS = 256;

/** Rows of the table, by number of characters of the asked word read: the last, the one before it, the present. */
let row = new Uint8Array(MAX_UNITS + 1);
let before = new Uint8Array(MAX_UNITS + 1);
let present = new Uint8Array(MAX_UNITS + 1);

/** A word of UTF-16 code units: `units[from..from + length)`. */
export type UnitsOfWord = { readonly units: Uint16Array; readonly from: number; readonly length: number };

/**
 * Optimal string alignment distance of two words; above `most` (0, 1 or 2) it is `most + 1`. Looks at a band of
 * 2 · most + 1 cells per character and ends when two rows are above `most` (a swap reaches back over one): about
 * 0.1 µs. No allocation.
 */
export function boundedDistance(a: Uint16Array, b: UnitsOfWord, most: number): number {
  const size = a.length;
  const { length } = b;
  const beyond = most + 1;
  if (Math.abs(size - length) > most || size > MAX_UNITS || length > MAX_UNITS) return beyond;
  for (let j = 0; j <= Math.min(length, most); j++) row[j] = j;
  let lastLeast = 0;
  for (let i = 1; i <= size; i++) {
    const least = fillRow(a, i, b, most);
    if (least > most && lastLeast > most) return beyond;
    lastLeast = least;
    const spare = before;
    before = row;
    row = present;
    present = spare;
  }
  return Math.min(row[length]!, beyond);
}

/** Fills `present` within the band of row `i`; returns its least cell. */
function fillRow(a: Uint16Array, i: number, { units, from, length }: UnitsOfWord, most: number): number {
  const beyond = most + 1;
  const low = Math.max(1, i - most);
  const high = Math.min(length, i + most);
  const unit = a[i - 1]!;
  let least = low === 1 ? Math.min(i, beyond) : beyond;
  present[low - 1] = least;
  for (let j = low; j <= high; j++) {
    const other = units[from + j - 1]!;
    const above = j < i + most ? row[j]! + 1 : beyond;
    let cell = Math.min(beyond, above, present[j - 1]! + 1, row[j - 1]! + (unit === other ? 0 : 1));
    const swapped = i > 1 && j > 1 && unit === units[from + j - 2] && a[i - 2] === other;
    if (swapped) cell = Math.min(cell, before[j - 2]! + 1);
    present[j] = cell;
    least = Math.min(least, cell);
  }
  return least;
}
