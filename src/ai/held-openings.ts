import { coveredShare } from './support/evidence-window.ts';
import { identifiersOf } from './support/identifiers.ts';
import { hasNear } from './support/near-stem.ts';
import { areSameNumber } from './support/numbers.ts';
import { plainText, type ReadText, readText } from './support/read-text.ts';
import type { SourceText } from './support/source-text.ts';
import type { UnitKind } from './unit-kind.ts';

type Opening = { readonly text: string; readonly read: ReadText; readonly kind: Exclude<UnitKind, 'claim'> };

/** Text that waits for the next verified unit, and the blanks between what is sent. */
export type Openings = {
  readonly hold: (opening: Opening) => undefined;
  /** Blank text: its line feeds count. */
  readonly pass: (text: string) => undefined;
  /** What is held goes with a dropped unit. */
  readonly drop: (text: string) => undefined;
  /** The verified unit with what stands before it; `read` is undefined for code. */
  readonly release: (text: string, read: ReadText | undefined) => string;
};

/** Of the words of a heading, in one source or the question. */
const FOUNDED = 0.5;
const MAX_HELD_CHARS = 600;
const LIST_MARK = /^[ \t]{0,12}(?:[-*+•]|\d{1,3}[.)])[ \t]+/;

type Held = { readonly text: string; readonly before: string; readonly answer: 'yes' | 'no' | undefined };

export function createOpenings(sources: readonly SourceText[], question: string): Openings {
  let held: Held | undefined;
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
    hold({ text, read, kind }) {
      const isHeld = kind !== 'empty' && (kind !== 'opening' || isFounded(read, sources, question));
      if (!isHeld || (held?.text.length ?? 0) > MAX_HELD_CHARS) return pass(text);
      const answer = kind === 'yes' || kind === 'no' ? kind : held?.answer;
      held = {
        text: (held === undefined ? '' : held.text + gap) + text.trimEnd(),
        before: held?.before ?? gap,
        answer,
      };
      gap = gapOf(text);
    },
    drop(text) {
      gap = wider(held?.before ?? gap, gapOf(text));
      held = undefined;
      mark = LIST_MARK.exec(text)?.[0] ?? mark;
      if (gap.includes('\n')) mark = '';
    },
    release(text, read) {
      const isContrary = held?.answer !== undefined && (held.answer === 'no') !== isDenial(read);
      const kept = isContrary ? undefined : held;
      const body = mark + (hasBegun || kept !== undefined ? text.trimEnd() : text.trim());
      const before = kept?.before ?? wider(held?.before ?? '', gap);
      const result = (hasBegun ? before : '') + (kept === undefined ? '' : kept.text + gap) + body;
      held = undefined;
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
      source.frame,
      readText(question, source.language),
    ];
    const has = (stem: string) => texts.some(({ stems }) => hasNear(stems, stem));
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
