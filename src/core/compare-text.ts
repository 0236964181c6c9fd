/**
 * Order of two texts by code point, which is the order of their UTF-8 bytes: `<` on strings puts U+E000 to U+FFFF
 * above the surrogates of larger code points. Negative, zero or positive. Allocates nothing.
 */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rankOfUnit(left) - rankOfUnit(right);
  }
  return a.length - b.length;
}

/** Place of a code unit in that order: surrogates are behind the rest. */
export function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Optimal string alignment: a swap of neighbours is one edit. O(a · b). */
export function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, position) => position);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(above, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(above, j) + 1, at(row, j - 1) + 1, replaced, swapped));
    }
    [before, above] = [above, row];
  }
  return at(above, b.length);
}

function at(row: readonly number[], position: number): number {
  return row[position] ?? Number.POSITIVE_INFINITY;
}

/**
 * Whether a whole text fits a pattern, in which `*` stands for any run of characters and `?` for one. Both as lists of
 * code points. Greedy, going back to the last `*` only: O(pattern · text), never exponential.
 */
export function matchesWildcard(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let starText = 0;
  for (let i = 0; i < text.length; ) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      starText = i;
    } else if (wanted === '?' || wanted === text[i]) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++starText;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
