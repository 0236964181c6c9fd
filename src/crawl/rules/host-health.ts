const RECENT = 20;
const MIN_GOOD_RATIO = 0.8;
const MAX_MISSING_RATIO = 0.3;
/** A site of a few pages may lose that many without being called ill. */
const MISSING_ALLOWED = 3;

/**
 * May a missing page be believed: at least 80 % of the host's last 20 answers were good, and under 30 % of the last
 * 50 were 404 or 410. `answers` is `Host.health`. A short history of only good and few missing answers counts as
 * healthy. (reliability: removal)
 */
export function isHealthy(answers: string): boolean {
  const recent = answers.slice(-RECENT);
  const missing = countOf(answers, 'm');
  if (missing <= MISSING_ALLOWED) return countOf(recent, 'f') <= recent.length * (1 - MIN_GOOD_RATIO);
  return countOf(recent, 'g') >= recent.length * MIN_GOOD_RATIO && missing < answers.length * MAX_MISSING_RATIO;
}

function countOf(answers: string, letter: string): number {
  return answers.split(letter).length - 1;
}
