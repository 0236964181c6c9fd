import type { ShownPattern } from '../../../crawl/browse-patterns.ts';
import { timeText } from '../responses.ts';

export function patternBody(shown: ShownPattern) {
  const { id, origin: host, pattern, known, visited, informative, quarantine, closedAt, closeRule, examples } = shown;
  const counts = { known, visited, informative };
  return { id, host, pattern, ...counts, quarantine, closedAt: timeText(closedAt), rule: closeRule ?? null, examples };
}
