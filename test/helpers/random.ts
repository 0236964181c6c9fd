/** Seeded numbers (mulberry32): the same seed gives the same test. */
export type Random = {
  /** A whole number from `least` to `most`, both inclusive. */
  readonly whole: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** An early item with more probability than a late one, as words of a language. */
  readonly pickSkewed: <T>(items: readonly T[]) => T;
  /** Up to `most` results, at least `least`. */
  readonly list: <T>(least: number, most: number, make: () => T) => T[];
};

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const at = <T>(items: readonly T[], index: number): T => {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[index] as T;
  };
  return {
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => at(items, whole(0, items.length - 1)),
    pickSkewed: (items) => at(items, Math.floor(next() ** 2 * items.length)),
    list: (least, most, make) => Array.from({ length: whole(least, most) }, make),
  };
}
