/** A record of a workbook of before 2007, with those that continue it (MS-XLS 2.1.4). */
export type BiffRecord = {
  readonly type: number;
  /** Contents of the record and of each that continues it; never empty. */
  readonly parts: readonly [Buffer, ...Buffer[]];
};

const HEADER_BYTES = 4;
const CONTINUE = 0x003c;

/** Records from a place of the stream on; a record that is cut by the end of the stream is the last one. */
export function* recordsOf(stream: Buffer, start: number): Generator<BiffRecord, void> {
  let at = start;
  while (at + HEADER_BYTES <= stream.length) {
    const type = stream.readUInt16LE(at);
    const parts: [Buffer, ...Buffer[]] = [contentAt(stream, at)];
    at += HEADER_BYTES + stream.readUInt16LE(at + 2);
    while (at + HEADER_BYTES <= stream.length && stream.readUInt16LE(at) === CONTINUE) {
      parts.push(contentAt(stream, at));
      at += HEADER_BYTES + stream.readUInt16LE(at + 2);
    }
    yield { type, parts };
  }
}

function contentAt(stream: Buffer, at: number): Buffer {
  return stream.subarray(at + HEADER_BYTES, at + HEADER_BYTES + stream.readUInt16LE(at + 2));
}
