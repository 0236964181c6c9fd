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
