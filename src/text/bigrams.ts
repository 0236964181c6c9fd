import { classOf, IGNORED, loweredUnit, SURROGATE } from './character-classes.ts';

/** A character of a text as words have it, and its place `[start, end)` in the text. */
export type Character = { text: string; readonly start: number; end: number };

/** Receives bigrams; `units[0..length)` is valid during the call only. */
export interface BigramSink {
  /**
   * Two neighbouring characters of a script without blanks, or two Hangul syllables of a word. Their positions are
   * counted apart from those of words, so that a run of characters is a phrase of its bigrams.
   */
  bigram?(units: Uint16Array, length: number, position: number, start: number, end: number): void;
}

/** Two characters above U+FFFF. */
const PAIR_UNITS = 4;
const FIRST_HANGUL_SYLLABLE = 0xac00;
const LAST_HANGUL_SYLLABLE = 0xd7a3;
const SYLLABLES = /[\uac00-\ud7a3]{2,}/g;

const pair = new Uint16Array(PAIR_UNITS);

export function isHangul(unit: number): boolean {
  return unit >= FIRST_HANGUL_SYLLABLE && unit <= LAST_HANGUL_SYLLABLE;
}

/** Characters of `text[start..end)`: plain forms, voicing marks composed with the character before. */
export function charactersOf(text: string, start: number, end: number): Character[] {
  const characters: Character[] = [];
  for (let at = start; at < end; ) {
    const unit = text.charCodeAt(at);
    const kind = classOf(unit);
    const to = at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
    const plain = kind === SURROGATE ? text.slice(at, to) : String.fromCharCode(loweredUnit(unit));
    const last = characters.at(-1);
    const composed = last === undefined ? '' : (last.text + plain).normalize('NFC');
    if (last !== undefined && composed.length < last.text.length + plain.length) {
      last.text = composed;
      last.end = to;
    } else if (kind !== IGNORED) {
      characters.push({ text: plain, start: at, end: to });
    }
    at = to;
  }
  return characters;
}

/** Runs of Hangul syllables in a word that stands at `[start, end)`, which a decomposed one only knows as a whole. */
export function* syllableRuns(word: string, start: number, end: number): Generator<Character[]> {
  const exact = end - start === word.length;
  for (const { 0: run, index } of word.matchAll(SYLLABLES)) {
    yield [...run].map((text, i) => {
      const at = start + index + i;
      return { text, start: exact ? at : start, end: exact ? at + 1 : end };
    });
  }
}

/** Emits the bigrams of a run from `position` on; returns the position for the next run. */
export function emitBigrams(characters: readonly Character[], position: number, sink: BigramSink): number {
  for (let i = 1; i < characters.length; i++) {
    const first = characters[i - 1]!;
    const second = characters[i]!;
    let length = 0;
    for (const text of [first.text, second.text]) {
      for (let j = 0; j < text.length; j++) pair[length++] = text.charCodeAt(j);
    }
    sink.bigram?.(pair, length, position + i - 1, first.start, second.end);
  }
  // A position stays free: the end of one run and the beginning of the next are no neighbours.
  return characters.length > 1 ? position + characters.length : position;
}
