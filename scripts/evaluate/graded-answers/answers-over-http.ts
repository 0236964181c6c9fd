import {
  type AnswerSegment,
  type Citation,
  citationsOf,
  printAnswer,
  printPlain,
} from '../../../src/ai/answer-event.ts';
import type { AnswerLength } from '../../../src/ai/composer.ts';
import type { GivenAnswer } from '../answers/measure.ts';
import { documentKey } from '../answers/suites.ts';
import { openRunningEngine } from '../running-engine.ts';
import type { GradedResult } from './graded-measures.ts';
import { type GradedAsk, SITE_CRAWLER } from './graded-questions.ts';

/** A page of an answer, as the public API names it. */
export type NamedPage = Pick<Citation, 'reference' | 'url' | 'pageTitle'>;

/** AI Chat's answer. Contract: 4.1. */
type ChatAnswer = {
  readonly value: {
    readonly answer: string;
    readonly couldAnswer: boolean;
    readonly citations: readonly NamedPage[];
  };
};

/**
 * Asks the public API of an engine that has crawled the pages which `make-sites.ts --pages` wrote, from the root of a
 * server. What the API does not tell is not known: the answer opens with its first segment, and ranks and the gate are
 * missing.
 */
export function openAnswersOverHttp(url: string, engine: string): (asked: GradedAsk) => Promise<GradedResult> {
  const call = openRunningEngine(url, engine);
  const answer = async (question: string, answerLength: AnswerLength): Promise<GivenAnswer> => {
    const body = JSON.stringify({ question, answerLength, includeCitations: true });
    const { value } = await call<ChatAnswer>('/search/answer', { method: 'POST', body });
    return value.couldAnswer ? given(segmentsOf(value.answer, value.citations)) : given([], 'refused');
  };
  return async (asked) => ({
    asked,
    language: 'en',
    comprehensive: await answer(asked.question, 'comprehensive'),
    concise: await answer(asked.question, 'concise'),
  });
}

function given(segments: readonly AnswerSegment[], refusal?: string): GivenAnswer {
  return {
    segments,
    text: printAnswer(segments, printPlain),
    opening: segments[0]?.text ?? '',
    refusal,
    cited: citationsOf(segments).map(documentKey),
    claims: segments.length,
    kept: segments.length,
  };
}

/** A piece of the text, the markers behind it, and the end of a row that they stand in. */
const MARKED = /(.*?)[ \n]?((?:\[\d+\])+)( \|)?/gs;

/** The segments that `printNumbered` printed: what stands between the markers of these pages. */
export function segmentsOf(delivered: string, pages: readonly NamedPage[]): readonly AnswerSegment[] {
  const byReference = new Map(pages.map((page) => [page.reference, page]));
  const segments: AnswerSegment[] = [];
  let unmarked = '';
  let end = 0;
  for (const [all, text = '', markers = '', cell = ''] of delivered.matchAll(MARKED)) {
    end += all.length;
    const named = [...markers.matchAll(/\d+/g)].map(([reference]) => byReference.get(Number(reference)));
    // Brackets with another number are part of what is quoted.
    if (named.includes(undefined)) unmarked += all;
    else {
      segments.push({
        text: unmarked + text + cell,
        citations: named.flatMap((page) => (page ? [citationOf(page)] : [])),
      });
      unmarked = '';
    }
  }
  const rest = unmarked + delivered.slice(end);
  return rest === '' ? segments : [...segments, { text: rest, citations: [] }];
}

function citationOf(page: NamedPage): Citation {
  const documentId = decodeURIComponent(new URL(page.url).pathname.slice(1)).replace(/\.html$/, '');
  return { ...page, crawlerId: SITE_CRAWLER, documentId, snippet: '', ordinal: 0, hash: '' };
}
