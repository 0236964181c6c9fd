import type { CollectedAnswer } from '../../ai/collect-answer.ts';
import { citationsOf, mainUrl, printAnswer } from '../../ai/collect-answer.ts';
import { printNumbered, printPlain } from '../../ai/print-unit.ts';

type AnswerIds = { readonly conversationId: string; readonly exchangeId: string };

/** Contract: 4.2. */
export function answerResponse(
  { units, outcome }: CollectedAnswer,
  { conversationId, exchangeId }: AnswerIds,
  { includeCitations }: { readonly includeCitations: boolean },
) {
  const citations = includeCitations ? citationsOf(units) : [];
  return {
    value: {
      answer: printAnswer(units, includeCitations ? printNumbered : printPlain),
      url: mainUrl(units),
      chatSessionId: conversationId,
      conversationId,
      exchangeId,
      citations: citations.map(({ reference, url, pageTitle, snippet }) => ({ reference, url, pageTitle, snippet })),
      couldAnswer: outcome.refusal === undefined,
    },
  };
}
