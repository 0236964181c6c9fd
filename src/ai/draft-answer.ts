import type { AnswerUnit, Citation, RefusalReason } from './answer-event.ts';
import { type GuardedUnit, guardAnswer } from './citation-guard.ts';
import type { SaysTheSame } from './compare-meaning.ts';
import type { Composer, Composition } from './composer.ts';
import { deepLink } from './deep-link.ts';
import type { Draft } from './deliver-answer.ts';

export type DraftInput = {
  readonly compose: Composer;
  readonly composition: Composition;
  /** What was searched for: what is said must bear on it. */
  readonly searchedFor: string;
  /** Whether links lead to the passage in its page. */
  readonly hasFragments: boolean;
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly saysTheSame: SaysTheSame | undefined;
  /** Why the composer wrote nothing that claims anything. */
  readonly emptyBecause: () => RefusalReason;
  readonly onDropped: (byCheck: Readonly<Record<string, number>>) => void;
  readonly signal: AbortSignal;
};

type Support = GuardedUnit['supports'][number];
type NumberOf = (support: Support) => number;

/** Fewer verified claims than this are another answer than the one that was written (answers design 8.3). */
const LEAST_KEPT = 0.5;

/** What a composer says about its sources, each unit verified before it comes. */
export function draftOf(input: DraftInput): Draft {
  const { compose, composition, searchedFor: question, hasFragments, saysTheSame, signal } = input;
  const { purpose, sources, language } = composition;
  return async function* write() {
    const numberOf = purpose === 'summary' ? ({ reference }: Support) => reference : numberByPage();
    const numbering = purpose === 'summary' ? 'as-given' : 'first-use';
    const units = guardAnswer(compose(composition, signal), {
      ...{ sources, question, language, numbering },
      compareForeign: saysTheSame && ((unit, sentence) => saysTheSame(unit, sentence, signal)),
    });
    try {
      let next = await units.next();
      for (; !next.done; next = await units.next()) {
        const { text, supports } = next.value;
        yield { text, citations: citationsOf(supports, { numberOf, hasFragments }) } satisfies AnswerUnit;
      }
      const { claims, kept, dropped } = next.value;
      input.onDropped(dropped);
      if (kept > 0) return { refusal: undefined, isDegraded: kept < LEAST_KEPT * claims };
      return { refusal: claims > 0 ? 'no-valid-citation' : input.emptyBecause(), isDegraded: false };
    } finally {
      await units.return(undefined as never);
    }
  };
}

/** Pages by their first appearance, from 1. */
function numberByPage(): NumberOf {
  const numbers = new Map<string, number>();
  return ({ passage: { crawlerId, documentId } }) => {
    const page = JSON.stringify([crawlerId, documentId]);
    const number = numbers.get(page) ?? numbers.size + 1;
    numbers.set(page, number);
    return number;
  };
}

type Citing = { readonly numberOf: NumberOf; readonly hasFragments: boolean };

/** One per page: several passages of it have one number. */
function citationsOf(supports: readonly Support[], { numberOf, hasFragments }: Citing): readonly Citation[] {
  const byNumber = new Map<number, Citation>();
  for (const support of supports) {
    const { passage, snippet } = support;
    const reference = numberOf(support);
    if (byNumber.has(reference)) continue;
    const { url, title, crawlerId, documentId, ordinal, hash } = passage;
    const link = hasFragments ? deepLink(passage, firstSentenceOf(support)) : url;
    byNumber.set(reference, {
      ...{ reference, url: link, pageTitle: title, snippet },
      ...{ crawlerId, documentId, ordinal, hash },
    });
  }
  return [...byNumber.values()];
}

/** Of the snippet, as the page has it. */
function firstSentenceOf({ passage, snippet }: Support): string {
  return passage.sentences.find(({ text, isCode }) => !isCode && snippet.includes(text))?.text ?? '';
}
