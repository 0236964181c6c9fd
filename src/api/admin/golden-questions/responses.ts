import type { GoldenState } from '../../../ai/golden-states.ts';
import type { ChangedPage, GoldenQuestion } from '../../../storage/golden-question-store.ts';
import { timeText } from '../responses.ts';

export function goldenQuestionBody({ id, question, mustCite, mustContain, createdAt }: GoldenQuestion) {
  return { id, question, mustCite, mustContain, createdAt: timeText(createdAt) };
}

export function goldenStateBody({ question: { id, question }, composer, latest, lastRightAt }: GoldenState) {
  return {
    id,
    question,
    composer,
    state: stateOf(latest),
    since: timeText(latest?.since),
    askedAt: timeText(latest?.at),
    lastRightAt: timeText(lastRightAt),
    refusal: latest?.refusal ?? null,
    missingPages: latest?.missingPages ?? [],
    missingTexts: latest?.missingTexts ?? [],
    cited: (latest?.cited ?? []).map(({ url }) => url),
    changed: (latest?.changed ?? []).map(changedBody),
  };
}

function stateOf(latest: GoldenState['latest']): 'not-asked' | 'right' | 'wrong' | 'regressed' {
  if (latest === undefined) return 'not-asked';
  if (latest.isRight) return 'right';
  return latest.isRegressed ? 'regressed' : 'wrong';
}

function changedBody({ crawlerId: crawler, documentId: document, url, seq, at }: ChangedPage) {
  return { crawler, document, url, seq: seq ?? null, at: timeText(at) };
}
