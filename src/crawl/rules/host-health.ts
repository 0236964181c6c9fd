const RECENT = 20;
const MIN_GOOD_RATIO = 0.8;
const MAX_MISSING_RATIO = 0.3;
/** A site of a few pages may lose that many without being called ill. */
const FEW = 3;
/** Answers of `Host.health` that tell of an ill host: failures, refusals, pages that look wrong. */
const ILL = /[fxsil]/g;

/**
 * May a missing page be believed: at least 80 % of the host's last 20 answers were good, and under 30 % of the last
 * 50 were 404 or 410. `answers` is `Host.health`. A short history of only good and few missing answers counts as
 * healthy. (reliability 11)
 */
export function isHealthy(answers: string): boolean {
  const recent = answers.slice(-RECENT);
  const missing = countOf(answers, 'm');
  if (missing <= FEW) return (recent.match(ILL)?.length ?? 0) <= recent.length * (1 - MIN_GOOD_RATIO);
  const good = countOf(recent, 'g') + countOf(recent, 'd');
  return good >= recent.length * MIN_GOOD_RATIO && missing < answers.length * MAX_MISSING_RATIO;
}

/** May a page that asks not to be indexed be believed: fewer than 30 % of the host's last 50 answers ask so. */
export function areDirectivesBelieved(answers: string): boolean {
  return isFewOf(answers, countOf(answers, 'd'), MAX_MISSING_RATIO);
}

function isFewOf(answers: string, count: number, ratio: number): boolean {
  return count <= FEW || count < answers.length * ratio;
}

function countOf(answers: string, letter: string): number {
  return answers.split(letter).length - 1;
}
