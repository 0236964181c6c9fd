import type { UrlState } from '../../core/crawl-words.ts';
import type { UrlExplanation } from './explanation.ts';
import type { ExplainInputs } from './inputs.ts';

const WHY: Readonly<Record<UrlState, string>> = {
  known: 'The next run visits it for the first time',
  live: 'Its interval has passed then',
  alias: 'It is looked at again, whether it still leads elsewhere',
  duplicate: 'It is looked at again, whether it still has the same content',
  suspected: 'A second look decides about its removal',
  gone: 'It is looked at again, whether it has come back',
  skipped: 'It is looked at again, whether it may be visited',
  failed: 'It is tried again',
};

/** When the URL is visited next, as far as it is known, and why then. */
export function nextVisit({ crawler, record, waiting, wait, now }: ExplainInputs): UrlExplanation['next'] {
  if (waiting !== undefined && wait !== undefined) {
    const at = Math.max(wait.until ?? 0, waiting.dueAt);
    return {
      at: at > now ? at : undefined,
      why: wait.advice === null ? wait.sentence : `${wait.sentence} ${wait.advice}`,
    };
  }
  if (record === undefined) return { at: undefined, why: 'Nothing has named it' };
  if (!crawler.active) return { at: undefined, why: 'The crawler is not active' };
  const { state, nextAt } = record.facts;
  return { at: nextAt, why: WHY[state] };
}
