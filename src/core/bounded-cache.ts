/** Values that were asked for last, within a number of bytes. */
export type BoundedCache<Value> = {
  /** What is asked for is dropped last. */
  get(key: string): Value | undefined;
  /** A value that takes more than all of the room is not kept. */
  set(key: string, value: Value, bytes: number): void;
  delete(key: string): void;
  /** Of all that is kept, by what was said of each. */
  readonly bytes: number;
};

/** O(1) per call, and per value that is dropped. */
export function createBoundedCache<Value>(maxBytes: number): BoundedCache<Value> {
  const cached = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const drop = (key: string) => {
    total -= cached.get(key)?.bytes ?? 0;
    cached.delete(key);
  };
  return {
    get(key) {
      const entry = cached.get(key);
      if (entry === undefined) return undefined;
      // Behind all others: a map keeps the order in which keys came.
      cached.delete(key);
      cached.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      drop(key);
      if (bytes > maxBytes) return;
      cached.set(key, { value, bytes });
      total += bytes;
      for (const oldest of cached.keys()) {
        if (total <= maxBytes) return;
        drop(oldest);
      }
    },
    delete: drop,
    get bytes() {
      return total;
    },
  };
}
