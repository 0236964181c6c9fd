/** Bytes that are looked at. */
const HEAD_BYTES = 4_096;
const MIN_NUL_SHARE = 0.3;

/** `utf-16be` has its zeros on even places, `utf-16le` on odd ones (at least 30 % of the bytes there). */
export function utf16Of(head: Uint8Array): 'utf-16be' | 'utf-16le' | undefined {
  const places = Math.floor(Math.min(head.length, HEAD_BYTES) / 2);
  if (places < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < places * 2; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  if (even / places >= MIN_NUL_SHARE && odd / places < 0.1) return 'utf-16be';
  return odd / places >= MIN_NUL_SHARE && even / places < 0.1 ? 'utf-16le' : undefined;
}
