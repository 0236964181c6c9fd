import type { Passage } from '../../search/passage.ts';
import type { AnswerKind, QuestionType } from '../../text/languages/language-pack.ts';
import { isAsciiText, scriptPattern } from '../../text/script-pattern.ts';
import { endsSentence } from '../../text/sentences.ts';
import { fitsType, mayHaveBlank } from '../question-types.ts';

/** Whether a block would fit questions of these types, whatever the type of its own. */
export const SIGN_TYPES = {
  reason: 'why',
  verdict: 'yes-no',
  number: 'number',
  date: 'date',
  step: 'how-to',
  name: 'person',
} as const satisfies Record<string, QuestionType>;

/** What a text shows without regard to any question. */
export type TextSigns = {
  readonly hasEnd: boolean;
  readonly endsInColon: boolean;
  readonly isQuestion: boolean;
  readonly hasDigit: boolean;
  /** One for each of `SIGN_TYPES`, in their order. */
  readonly fits: readonly boolean[];
  readonly hasCodeWord: boolean;
};

const COLON_END = /[:：]\s*$/;
const QUESTION_END = /[?？;]["'”’»)\]]*\s*$/;
/** Words of code, apart: as one expression they take four times as long. */
const CODE_SIGN = /[`(_<]/;
const CODE_BY_SIGN = /\w\(\)|`|\w_\w|<\w/;
const OPTION = /(?<!\S)--?[a-z]/;
const CODE_BY_CAPITALS = scriptPattern(String.raw`\p{Ll}\p{Lu}|\p{Lu}{3}`);
const TYPES = Object.values(SIGN_TYPES);
const NO_SIGNS: TextSigns = {
  hasEnd: false,
  endsInColon: false,
  isQuestion: false,
  hasDigit: false,
  fits: TYPES.map(() => false),
  hasCodeWord: false,
};
/** Words on each side of where two sentences meet; a sign spans three words at most (test/unit/ai/block-signs). */
const JOINT_WORDS = 4;

/**
 * Reads the signs of blocks of one passage, by the indexes of the sentences that they say. Each sentence is read once,
 * some 3 µs, and two in a row only once more where they meet: a block has a sign when one of its sentences has it, or
 * when it stands across the blank between them.
 */
export function createSignReader({ sentences, language }: Passage): (said: readonly number[]) => TextSigns {
  const known: (TextSigns | undefined)[] = [];
  const spanning = spanningTypes(language);
  const signsAt = (at: number) => {
    const sentence = sentences[at];
    if (sentence === undefined) return NO_SIGNS;
    known[at] ??= signsOf(sentence.text, language);
    return known[at];
  };
  return (said) => {
    const parts = said.map(signsAt);
    const last = parts.at(-1) ?? NO_SIGNS;
    if (parts.length < 2) return last;
    let joint: string | undefined;
    const fits = TYPES.map((type, column) => {
      if (parts.some((part) => part.fits[column] === true)) return true;
      if (spanning[column] !== true) return false;
      joint ??= jointOf(said.map((at) => sentences[at]?.text ?? ''));
      return fitsType(joint, type, language);
    });
    return {
      ...last,
      fits,
      hasDigit: parts.some(({ hasDigit }) => hasDigit),
      hasCodeWord: parts.some(({ hasCodeWord }) => hasCodeWord),
    };
  };
}

const spanningByLanguage = new Map<string, readonly boolean[]>();

/** Whether signs of each of the types may stand across the blank between two sentences. */
function spanningTypes(language: string): readonly boolean[] {
  const spanning = spanningByLanguage.get(language) ?? TYPES.map((type) => mayHaveBlank(type, language));
  spanningByLanguage.set(language, spanning);
  return spanning;
}

/** `hasKind` of a text with these signs, for the kinds that are signs; undefined for all others. */
export function kindBySigns(kind: AnswerKind, { fits, hasDigit }: TextSigns): boolean | undefined {
  if (kind === 'time') return hasDigit;
  const type = kind === 'count' ? 'number' : kind === 'person' ? 'person' : undefined;
  return type && fits[TYPES.indexOf(type)];
}

function signsOf(text: string, language: string): TextSigns {
  return {
    hasEnd: endsSentence(text),
    endsInColon: COLON_END.test(text),
    isQuestion: QUESTION_END.test(text),
    hasDigit: /\d/.test(text),
    fits: TYPES.map((type) => fitsType(text, type, language)),
    hasCodeWord: hasCodeWord(text),
  };
}

function hasCodeWord(text: string): boolean {
  return (
    (CODE_SIGN.test(text) && CODE_BY_SIGN.test(text)) || OPTION.test(text) || CODE_BY_CAPITALS(text, isAsciiText(text))
  );
}

/** Holds what stands across two of the texts, when a blank parts them: where two meet, and all of more. */
function jointOf(texts: readonly string[]): string {
  const [first = '', second = '', ...more] = texts;
  if (more.length > 0) return texts.join(' ');
  return `${first.slice(blankBefore(first, JOINT_WORDS))} ${second.slice(0, blankAfter(second, JOINT_WORDS))}`;
}

/** Where the last words of a text begin. */
function blankBefore(text: string, words: number): number {
  let at = text.length;
  for (let word = 0; word < words && at > 0; word++) at = text.lastIndexOf(' ', at - 1);
  return at + 1;
}

/** Where the first words of a text end. */
function blankAfter(text: string, words: number): number {
  let at = -1;
  for (let word = 0; word < words; word++) {
    at = text.indexOf(' ', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}
