import type { CollectedAnswer } from '../../ai/collect-answer.ts';
import { citationsOf, mainUrl, printAnswer } from '../../ai/collect-answer.ts';
import { printNumbered, printPlain } from '../../ai/print-segment.ts';

type AnswerIds = { readonly conversationId: string; readonly exchangeId: string };

/** Contract: 4.2. */
export function answerResponse(
  { segments, outcome }: CollectedAnswer,
  { conversationId, exchangeId }: AnswerIds,
  { includeCitations }: { readonly includeCitations: boolean },
) {
  const citations = includeCitations ? citationsOf(segments) : [];
  return {
    value: {
      answer: printAnswer(segments, includeCitations ? printNumbered : printPlain),
      url: mainUrl(segments),
      chatSessionId: conversationId,
      conversationId,
      exchangeId,
      citations: citations.map(({ reference, url, pageTitle, snippet }) => ({ reference, url, pageTitle, snippet })),
      couldAnswer: outcome.refusal === undefined,
    },
  };
}
