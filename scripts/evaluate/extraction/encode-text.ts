/** Bytes of a text in a charset of the platform, which decodes all of them and encodes UTF-8 alone. */
export type Encoder = (text: string) => Uint8Array;

const MARK = '\ufeff';

/**
 * Encodes as a browser sends a form: what the charset has no bytes for becomes a numeric character reference.
 * `utf-16le` and `utf-16be` have no mark of their byte order, `utf-16` is little-endian and has one.
 */
export function encoderOf(charset: string): Encoder {
  switch (charset) {
    case 'utf-8':
      return (text) => Buffer.from(text);
    case 'utf-16':
      return (text) => Buffer.from(MARK + text, 'utf16le');
    case 'utf-16le':
      return (text) => Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return (text) => Buffer.from(text, 'utf16le').swap16();
    default:
      return tableEncoder(bytesByCharacter(charset));
  }
}

function tableEncoder(table: ReadonlyMap<string, readonly number[]>): Encoder {
  return (text) =>
    Uint8Array.from(
      Array.from(text, (character) => {
        return table.get(character) ?? [...Buffer.from(`&#${character.codePointAt(0)};`, 'latin1')];
      }).flat(),
    );
}

const NO_CHARACTER = '\ufffd';

/** The decoder's table turned round: one and two bytes, which hold all that pages of these charsets use. */
function bytesByCharacter(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, readonly number[]>();
  const add = (...bytes: readonly number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    const [character = NO_CHARACTER, ...more] = text;
    if (more.length === 0 && character !== NO_CHARACTER && !table.has(character)) table.set(character, bytes);
  };
  for (let byte = 0; byte < 0x100; byte++) add(byte);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail);
  return table;
}
