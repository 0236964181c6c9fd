const DEFAULT_BITS = 20;
const WAYS = 4;

/**
 * Links seen before and what became of them, in fixed memory: 16 bytes per entry, sets of 4, the first put of a set
 * goes first. Hashes are 64 bits with a random seed, so that no page can make another page's link look known. Of about
 * 90 links on a page nearly all are found here, without the store.
 */
export class KnownLinks {
  private readonly mask: number;
  private readonly high: Uint32Array;
  private readonly low: Uint32Array;
  private readonly ids: Float64Array;
  private readonly seed: readonly [number, number];
  private hashHigh = 0;
  private hashLow = 0;

  constructor(seed: readonly [number, number], bits = DEFAULT_BITS) {
    const size = 1 << bits;
    this.seed = seed;
    this.mask = size / WAYS - 1;
    this.high = new Uint32Array(size);
    this.low = new Uint32Array(size);
    this.ids = new Float64Array(size);
  }

  /** The number that was put for the link; 0 when it is not known. */
  get(link: string): number {
    this.hash(link);
    const start = (this.hashLow & this.mask) * WAYS;
    for (let i = start; i < start + WAYS; i++) {
      if (this.high[i] === this.hashHigh && this.low[i] === this.hashLow) return this.ids[i] ?? 0;
    }
    return 0;
  }

  /** @param id not 0 */
  put(link: string, id: number): void {
    if (this.get(link) !== 0) return;
    const start = (this.hashLow & this.mask) * WAYS;
    this.high.copyWithin(start + 1, start, start + WAYS - 1);
    this.low.copyWithin(start + 1, start, start + WAYS - 1);
    this.ids.copyWithin(start + 1, start, start + WAYS - 1);
    this.high[start] = this.hashHigh;
    this.low[start] = this.hashLow;
    this.ids[start] = id;
  }

  private hash(link: string): void {
    let a = this.seed[0] | 0;
    let b = this.seed[1] | 0;
    for (let i = 0; i < link.length; i++) {
      const code = link.charCodeAt(i);
      a = Math.imul(a ^ code, 0x5bd1e995);
      a ^= a >>> 13;
      b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 11);
    }
    // 0 marks an empty entry.
    this.hashHigh = Math.imul(a ^ (a >>> 16), 0xc2b2ae35) >>> 0 || 1;
    this.hashLow = Math.imul(b ^ (b >>> 16), 0x27d4eb2f) >>> 0;
  }
}

/** Caches of the crawlers that were crawled last; a change of settings starts a new one. */
export function createLinkCaches(
  random: () => number,
  maxCrawlers = 4,
): (crawlerId: number, configVersion: number) => KnownLinks {
  const caches = new Map<string, KnownLinks>();
  const word = () => Math.floor(random() * 2 ** 32);
  return (crawlerId, configVersion) => {
    const key = `${crawlerId}/${configVersion}`;
    const cache = caches.get(key) ?? new KnownLinks([word(), word()]);
    caches.delete(key);
    caches.set(key, cache);
    const [oldest] = caches.keys();
    if (caches.size > maxCrawlers && oldest !== undefined) caches.delete(oldest);
    return cache;
  };
}
