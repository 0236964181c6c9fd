import type { SegmentKind } from './segment-kind.ts';
import { identifiersOf } from './support/identifiers.ts';
import { areSameNumber } from './support/numbers.ts';
import { plainText, type ReadText, readText } from './support/read-text.ts';
import { hasSameStem } from './support/same-stem.ts';
import { coveredShare } from './support/sentence-window.ts';
import type { SourceText } from './support/source-text.ts';

type LeadIn = { readonly text: string; readonly read: ReadText; readonly kind: Exclude<SegmentKind, 'claim'> };

/** Text that waits for the next verified segment, and the blanks between what is sent. */
export type LeadInBuffer = {
  readonly buffer: (leadIn: LeadIn) => undefined;
  /** Blank text: its line feeds count. */
  readonly pass: (text: string) => undefined;
  /** What is held goes with a dropped segment. */
  readonly drop: (text: string) => undefined;
  /** The verified segment with what stands before it; `read` is undefined for code. */
  readonly release: (text: string, read: ReadText | undefined) => string;
};

/** Of the words of a heading, in one source or the question. */
const FOUNDED = 0.5;
const MAX_BUFFERED_CHARS = 600;
const LIST_MARK = /^[ \t]{0,12}(?:[-*+•]|\d{1,3}[.)])[ \t]+/;

type Buffered = { readonly text: string; readonly before: string; readonly answer: 'yes' | 'no' | undefined };

export function createLeadInBuffer(sources: readonly SourceText[], question: string): LeadInBuffer {
  let buffered: Buffered | undefined;
  let gap = '';
  let hasBegun = false;
  /** Mark of the list item whose beginning was dropped. */
  let mark = '';
  const pass = (text: string): undefined => {
    gap = wider(gap, gapOf(text));
    if (gap.includes('\n')) mark = '';
  };
  return {
    pass,
    buffer({ text, read, kind }) {
      const isBuffered = kind !== 'empty' && (kind !== 'opening' || isFounded(read, sources, question));
      if (!isBuffered || (buffered?.text.length ?? 0) > MAX_BUFFERED_CHARS) return pass(text);
      const answer = kind === 'yes' || kind === 'no' ? kind : buffered?.answer;
      buffered = {
        text: (buffered === undefined ? '' : buffered.text + gap) + text.trimEnd(),
        before: buffered?.before ?? gap,
        answer,
      };
      gap = gapOf(text);
    },
    drop(text) {
      gap = wider(buffered?.before ?? gap, gapOf(text));
      buffered = undefined;
      mark = LIST_MARK.exec(text)?.[0] ?? mark;
      if (gap.includes('\n')) mark = '';
    },
    release(text, read) {
      const isContrary = buffered?.answer !== undefined && (buffered.answer === 'no') !== isDenial(read);
      const kept = isContrary ? undefined : buffered;
      const body = mark + (hasBegun || kept !== undefined ? text.trimEnd() : text.trim());
      const before = kept?.before ?? wider(buffered?.before ?? '', gap);
      const result = (hasBegun ? before : '') + (kept === undefined ? '' : kept.text + gap) + body;
      buffered = undefined;
      mark = '';
      gap = gapOf(text);
      hasBegun = true;
      return result;
    },
  };
}

function gapOf(text: string): string {
  const [blanks = ''] = /\s*$/.exec(text) ?? [];
  const feeds = blanks.split('\n').length - 1;
  return feeds > 1 ? '\n\n' : feeds === 1 ? '\n' : blanks === '' ? '' : ' ';
}

const GAPS = ['', ' ', '\n', '\n\n'];

function wider(a: string, b: string): string {
  return GAPS.indexOf(a) >= GAPS.indexOf(b) ? a : b;
}

function isDenial(read: ReadText | undefined): boolean {
  return read?.words.some(({ negation }) => negation !== undefined) ?? false;
}

/** Half of its words, and all its numbers and identifiers, stand in the question or in one of the sources. */
function isFounded(read: ReadText, sources: readonly SourceText[], question: string): boolean {
  return sources.some((source) => {
    const texts = [
      ...source.sentences.map((sentence) => sentence.read),
      source.headings,
      readText(question, source.language),
    ];
    const has = (stem: string) => texts.some(({ stems }) => hasSameStem(stems, stem));
    const covered = new Set(read.stems.values().filter(has));
    const words = texts.flatMap((text) => text.words);
    return (
      (read.stems.size === 0 || coveredShare(read.words, covered) >= FOUNDED) &&
      identifiersOf(read.text).every((identifier) =>
        texts.some(({ plain }) => plain.includes(plainText(identifier))),
      ) &&
      read.words.every((word) => word.numbers.length === 0 || words.some((other) => areSameNumber(other, word)))
    );
  });
}
