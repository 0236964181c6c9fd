/** The ustar form of tar, as far as a backup needs it: regular files with short names. Every tar program reads it. */

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
const MODE = '0000600';
const REGULAR_FILE = '0';
/** Sizes from here on do not fit eleven octal digits and are written in binary, as GNU tar does. */
const OCTAL_LIMIT = 8 ** 11;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;
const TYPE_AT = 156;

export type TarEntry = { readonly name: string; readonly bytes: number; readonly body: AsyncIterable<Uint8Array> };

/** One file of an archive. The body must have as many bytes as it says. */
export async function* tarEntry(
  name: string,
  bytes: number,
  modifiedAt: number,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield header(name, bytes, modifiedAt);
  let written = 0;
  for await (const chunk of body) {
    written += chunk.length;
    yield chunk;
  }
  if (written !== bytes) throw new Error(`${name} has ${written} bytes, not ${bytes}`);
  yield Buffer.alloc(padding(bytes));
}

/** What stands after the last file. */
export function tarEnd(): Uint8Array {
  return Buffer.alloc(2 * BLOCK_BYTES);
}

/**
 * The files of an archive in their order. Each body is read to its end before the next file is asked for.
 * @throws Error when the archive is cut off or no tar
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = byteReader(source);
  for (;;) {
    const block = await reader.take(BLOCK_BYTES);
    if (block.every((byte) => byte === 0)) break;
    const { name, bytes } = parseHeader(block);
    yield { name, bytes, body: reader.stream(bytes) };
    await reader.take(padding(bytes));
  }
  // A stream that ends with an error, such as a wrong checksum, tells it only to whoever reads to its end.
  await reader.drain();
}

function header(name: string, bytes: number, modifiedAt: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`${name} is too long for an archive`);
  block.write(name, 0);
  block.write(`${MODE}\0`, 100);
  block.write(`${octal(0, 7)}\0`, 108);
  block.write(`${octal(0, 7)}\0`, 116);
  writeSize(block, bytes);
  block.write(`${octal(Math.floor(modifiedAt / 1_000), 11)}\0`, 136);
  block.write(REGULAR_FILE, TYPE_AT);
  block.write('ustar\x0000', 257);
  block.fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
  block.write(`${octal(sum(block), 6)}\0 `, CHECKSUM_AT);
  return block;
}

function writeSize(block: Buffer, bytes: number): void {
  if (bytes < OCTAL_LIMIT) {
    block.write(`${octal(bytes, 11)}\0`, SIZE_AT);
    return;
  }
  block.writeUInt8(0x80, SIZE_AT);
  block.writeBigUInt64BE(BigInt(bytes), SIZE_AT + 4);
}

function parseHeader(block: Buffer): { readonly name: string; readonly bytes: number } {
  const found = Number.parseInt(block.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + 6), 8);
  const blank = Buffer.from(block).fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
  if (found !== sum(blank) || block.toString('latin1', TYPE_AT, TYPE_AT + 1) !== REGULAR_FILE) {
    throw new Error('not a file of a tar archive');
  }
  const end = block.indexOf(0);
  const isBinary = block.readUInt8(SIZE_AT) === 0x80;
  const octalSize = () => Number.parseInt(block.toString('latin1', SIZE_AT, SIZE_AT + 11), 8);
  return {
    name: block.toString('utf8', 0, Math.min(end < 0 ? MAX_NAME_BYTES : end, MAX_NAME_BYTES)),
    bytes: isBinary ? Number(block.readBigUInt64BE(SIZE_AT + 4)) : octalSize(),
  };
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function sum(block: Uint8Array): number {
  return block.reduce((total, byte) => total + byte, 0);
}

function padding(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function byteReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  const more = async (): Promise<void> => {
    const next = await chunks.next();
    if (next.done === true) throw new Error('the archive is cut off');
    rest = next.value;
  };
  async function* stream(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) await more();
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }
  const take = async (bytes: number): Promise<Buffer> => {
    const parts: Uint8Array[] = [];
    for await (const part of stream(bytes)) parts.push(part);
    return Buffer.concat(parts);
  };
  const drain = async (): Promise<void> => {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next());
  };
  return { stream, take, drain };
}
