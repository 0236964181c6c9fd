import type { AnswerSegment, Citation, RefusalReason } from './answer-event.ts';
import { type GuardedSegment, guardAnswer } from './citation-guard.ts';
import type { HasSameMeaning } from './compare-meaning.ts';
import type { Composer, Composition } from './composer.ts';
import { deepLink } from './deep-link.ts';
import type { AnswerGenerator } from './deliver-answer.ts';

export type GenerationInput = {
  readonly compose: Composer;
  readonly composition: Composition;
  /** What was searched for: what is said must bear on it. */
  readonly searchedFor: string;
  /** Whether links lead to the passage in its page. */
  readonly hasFragments: boolean;
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly hasSameMeaning: HasSameMeaning | undefined;
  /** Why the composer wrote nothing that claims anything. */
  readonly emptyBecause: () => RefusalReason;
  readonly onDropped: (byCheck: Readonly<Record<string, number>>) => void;
  readonly signal: AbortSignal;
};

type Support = GuardedSegment['supports'][number];
type NumberOf = (support: Support) => number;

/** Fewer verified claims than this are another answer than the one that was written (answers design 8.3). */
const LEAST_KEPT = 0.5;

/** What a composer says about its sources, each segment verified before it comes. */
export function answerGenerator(input: GenerationInput): AnswerGenerator {
  const { compose, composition, searchedFor: question, hasFragments, hasSameMeaning, signal } = input;
  const { purpose, sources, language } = composition;
  return async function* write() {
    const numberOf = purpose === 'summary' ? ({ reference }: Support) => reference : numberByPage();
    const numbering = purpose === 'summary' ? 'as-given' : 'first-use';
    const segments = guardAnswer(compose(composition, signal), {
      sources,
      question,
      language,
      numbering,
      compareForeign: hasSameMeaning && ((segment, sentence) => hasSameMeaning(segment, sentence, signal)),
    });
    try {
      let next = await segments.next();
      for (; !next.done; next = await segments.next()) {
        const { text, supports } = next.value;
        yield { text, citations: citationsOf(supports, { numberOf, hasFragments }) } satisfies AnswerSegment;
      }
      const { claims, kept, dropped } = next.value;
      input.onDropped(dropped);
      if (kept > 0) return { refusal: undefined, isDegraded: kept < LEAST_KEPT * claims };
      return { refusal: claims > 0 ? 'no-valid-citation' : input.emptyBecause(), isDegraded: false };
    } finally {
      await segments.return(undefined as never);
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
      reference,
      url: link,
      pageTitle: title,
      snippet,
      crawlerId,
      documentId,
      ordinal,
      hash,
    });
  }
  return [...byNumber.values()];
}

/** Of the snippet, as the page has it. */
function firstSentenceOf({ passage, snippet }: Support): string {
  return passage.sentences.find(({ text, isCode }) => !isCode && snippet.includes(text))?.text ?? '';
}
