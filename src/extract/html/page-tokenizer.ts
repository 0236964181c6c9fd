import { Tokenizer } from 'htmlparser2';

/** What the tokenizer keeps of the text that it reads; positions count from the first text, the buffer is the last. */
type ReadState = { index: number; readonly offset: number; readonly buffer: string };
type ReadUnit = (this: ReadState, unit: number) => void;
type SkippingState =
  | 'stateText'
  | 'stateInAttributeValueDoubleQuotes'
  | 'stateInTagName'
  | 'stateInClosingTagName'
  | 'stateInAttributeName';
type UnitReaders = Record<SkippingState, ReadUnit> & {
  fastForwardTo(this: ReadState, unit: number): boolean;
};

const [LESS, AMPERSAND, QUOTE, EQUALS] = [0x3c, 0x26, 0x22, 0x3d];

/**
 * The tokenizer of htmlparser2, which skips what cannot change its state: text up to the next tag or entity, values up
 * to the next quotation mark or entity, names up to their end, scripts and comments by `indexOf`. A quarter of the cost of parsing a page.
 */
export class PageTokenizer extends Tokenizer {}

const inherited = Tokenizer.prototype as unknown as UnitReaders;
const skipping: UnitReaders = {
  stateText(unit) {
    if (unit === LESS || unit === AMPERSAND) inherited.stateText.call(this, unit);
    else skipTo(this, LESS);
  },
  stateInAttributeValueDoubleQuotes(unit) {
    if (unit === QUOTE || unit === AMPERSAND) inherited.stateInAttributeValueDoubleQuotes.call(this, unit);
    else skipTo(this, QUOTE);
  },
  stateInTagName(unit) {
    if (endsName(unit)) inherited.stateInTagName.call(this, unit);
    else skipName(this);
  },
  stateInClosingTagName(unit) {
    if (endsName(unit)) inherited.stateInClosingTagName.call(this, unit);
    else skipName(this);
  },
  stateInAttributeName(unit) {
    if (unit === EQUALS || endsName(unit)) inherited.stateInAttributeName.call(this, unit);
    else skipName(this);
  },
  fastForwardTo(unit) {
    const at = this.buffer.indexOf(String.fromCharCode(unit), this.index + 1 - this.offset);
    this.index = this.offset + (at < 0 ? this.buffer.length - 1 : at);
    return at >= 0;
  },
};
Object.assign(PageTokenizer.prototype, skipping);

/** To the last unit before the next stop or entity: the tokenizer goes one on by itself. */
function skipTo(state: ReadState, stop: number): void {
  const { buffer, offset } = state;
  let at = state.index + 1 - offset;
  for (; at < buffer.length; at++) {
    const unit = buffer.charCodeAt(at);
    if (unit === stop || unit === AMPERSAND) break;
  }
  state.index = at - 1 + offset;
}

/** `=`, which ends names of attributes, is read one by one in those of tags. */
function skipName(state: ReadState): void {
  const { buffer, offset } = state;
  let at = state.index + 1 - offset;
  while (at < buffer.length && !mayEndName(buffer.charCodeAt(at))) at++;
  state.index = at - 1 + offset;
}

/** Blank, `/` or `>`. */
function endsName(unit: number): boolean {
  return unit === 0x3e || unit === 0x2f || unit === 0x20 || (unit >= 0x09 && unit <= 0x0d && unit !== 0x0b);
}

function mayEndName(unit: number): boolean {
  return unit < 0x40 && (unit === EQUALS || endsName(unit));
}
