/** Texts of a field's long values, in shared memory: every thread reads the same ones. */
export type SharedTexts = {
  /** Ordinals of the values, ascending. */
  readonly ordinals: Uint32Array;
  /** Text i is the UTF-8 in `[starts[i], starts[i + 1])`. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
};

/** Text by ordinal of its value. */
export type LongTexts = { get(ordinal: number): string | undefined };

export function shareTexts(texts: ReadonlyMap<number, string>): SharedTexts {
  const sorted = [...texts].sort(([a], [b]) => a - b);
  const ordinals = new Uint32Array(new SharedArrayBuffer(4 * sorted.length));
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (sorted.length + 1)));
  for (const [i, [ordinal, text]] of sorted.entries()) {
    ordinals[i] = ordinal;
    starts[i + 1] = starts[i]! + Buffer.byteLength(text);
  }
  const buffer = new SharedArrayBuffer(starts[sorted.length]!);
  const writer = Buffer.from(buffer);
  for (const [i, [, text]] of sorted.entries()) writer.write(text, starts[i]!);
  return { ordinals, starts, bytes: new Uint8Array(buffer) };
}

/** Each call makes a text: 1 µs per KB. */
export function readTexts({ ordinals, starts, bytes }: SharedTexts): LongTexts {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    get(ordinal) {
      let low = 0;
      let high = ordinals.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ordinals[middle]! < ordinal) low = middle + 1;
        else high = middle;
      }
      return ordinals[low] === ordinal ? buffer.toString('utf8', starts[low], starts[low + 1]) : undefined;
    },
  };
}
