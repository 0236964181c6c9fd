import type { CollectedAnswer } from '../../ai/collect-answer.ts';
import { citationsOf, printAnswer } from '../../ai/collect-answer.ts';
import { printPlain } from '../../ai/print-unit.ts';

type SummaryIds = { readonly summaryId: string; readonly summaryRequestId: string };

/** Contract: 5.2. */
export function summaryResponse({ units }: CollectedAnswer, { summaryId, summaryRequestId }: SummaryIds) {
  return {
    value: {
      summary: printAnswer(units, printPlain),
      summaryId,
      summaryRequestId,
      summarySourceUrls: [...new Set(citationsOf(units).map(({ url }) => url))].filter((url) => url !== ''),
    },
  };
}
