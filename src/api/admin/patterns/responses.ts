import type { ShownPattern } from '../../../crawl/browse-patterns.ts';
import { timeText } from '../responses.ts';

export function patternBody(shown: ShownPattern) {
  const { id, origin: host, pattern, known, visited, informative, doubt, closedAt, closeRule, examples } = shown;
  const counts = { known, visited, informative };
  return { id, host, pattern, ...counts, doubt, closedAt: timeText(closedAt), rule: closeRule ?? null, examples };
}
