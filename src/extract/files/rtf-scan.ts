export type RtfHandler = {
  readonly open: () => void;
  readonly close: () => void;
  /** `\word12`; the value is undefined when there is none. Symbols like `\~` are words, too. */
  readonly control: (word: string, value: number | undefined) => void;
  /** Characters of codes up to 255, to be decoded by the charset of their font. */
  readonly bytes: (run: string) => void;
  /** True ends the scan. */
  readonly isDone: () => boolean;
};

const CONTROL = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([0-9a-f]{2})|(.))/isy;
const RUN = /[^\\{}\r\n]+/y;

/** Walks over RTF (1.9.1) whose bytes are the characters of `text`, O(length); lines of the file are no text. Never throws. */
export function scanRtf(text: string, handler: RtfHandler): void {
  let at = 0;
  while (at < text.length && !handler.isDone()) at = scanToken(text, at, handler);
}

/** The place behind the token that starts at `at`. */
function scanToken(text: string, at: number, handler: RtfHandler): number {
  switch (text[at]) {
    case '{':
      handler.open();
      return at + 1;
    case '}':
      handler.close();
      return at + 1;
    case '\\':
      return scanControl(text, at, handler);
    case '\r':
    case '\n':
      return at + 1;
    default: {
      RUN.lastIndex = at;
      const run = RUN.exec(text)?.[0] ?? '';
      handler.bytes(run);
      return at + Math.max(1, run.length);
    }
  }
}

/** The place behind the control; that of `\bin` is behind its bytes. */
function scanControl(text: string, at: number, handler: RtfHandler): number {
  CONTROL.lastIndex = at;
  const match = CONTROL.exec(text);
  if (match === null) return at + 1;
  const [whole, word, digits, hex, symbol] = match;
  const end = at + whole.length;
  const value = digits === undefined ? undefined : Number(digits);
  if (hex !== undefined) handler.bytes(String.fromCharCode(Number.parseInt(hex, 16)));
  else if (word === 'bin') return end + Math.max(0, value ?? 0);
  else handler.control(word ?? symbol ?? '', value);
  return end;
}
