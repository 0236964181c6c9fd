import type { CollectedAnswer } from '../../ai/collect-answer.ts';
import { citationsOf, printAnswer } from '../../ai/collect-answer.ts';
import { printPlain } from '../../ai/print-segment.ts';

type SummaryIds = { readonly summaryId: string; readonly summaryRequestId: string };

/** Contract: 5.2. */
export function summaryResponse({ segments }: CollectedAnswer, { summaryId, summaryRequestId }: SummaryIds) {
  return {
    value: {
      summary: printAnswer(segments, printPlain),
      summaryId,
      summaryRequestId,
      summarySourceUrls: [...new Set(citationsOf(segments).map(({ url }) => url))].filter((url) => url !== ''),
    },
  };
}
