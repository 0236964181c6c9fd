/**
 * Keeps the best `size` of the numbers offered, by an order that the owner gives: `isBetter(a, b)` is strict and
 * total. The worst stands at the root. O(log size) per number that gets in.
 */
export class BoundedHeap {
  readonly items: Int32Array;
  count = 0;
  private readonly isBetter: (a: number, b: number) => boolean;

  constructor(size: number, isBetter: (a: number, b: number) => boolean) {
    this.items = new Int32Array(size);
    this.isBetter = isBetter;
  }

  get isFull(): boolean {
    return this.count === this.items.length;
  }

  /** The worst number kept; only when there is one. */
  get worst(): number {
    return this.items[0]!;
  }

  offer(item: number): void {
    if (!this.isFull) {
      this.items[this.count] = item;
      this.rise(this.count++);
    } else if (this.count > 0 && this.isBetter(item, this.items[0]!)) {
      this.items[0] = item;
      this.sink();
    }
  }

  /** Kept numbers, best first. */
  sorted(): number[] {
    return Array.from(this.items.subarray(0, this.count)).sort((a, b) => (this.isBetter(a, b) ? -1 : 1));
  }

  private rise(from: number): void {
    const { items } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.isBetter(items[parent]!, items[at]!)) return;
      this.swap(parent, at);
      at = parent;
    }
  }

  private sink(): void {
    const { items, count } = this;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= count) return;
      const right = left + 1;
      const worse = right < count && this.isBetter(items[left]!, items[right]!) ? right : left;
      if (!this.isBetter(items[at]!, items[worse]!)) return;
      this.swap(at, worse);
      at = worse;
    }
  }

  private swap(a: number, b: number): void {
    const { items } = this;
    const item = items[a]!;
    items[a] = items[b]!;
    items[b] = item;
  }
}
