import type { MeaningCandidate } from './meaning-candidates.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/**
 * How near a text is to others by meaning: 1 = the same, 0 = nothing to do with each other. Undefined when nobody can
 * tell, or no more in this answer.
 */
export type Nearness = (text: string, others: readonly string[]) => Promise<readonly number[] | undefined>;

/** Candidates that are compared: those that have most of a claim's words. */
const COMPARED = 3;

/**
 * The candidate that says what a claim says; undefined = none does, or nobody can tell. The nearest one, when it is near
 * and none of the claim's own words takes it away: a wrong word does, another word for the same thing does not. Eight
 * texts at most.
 */
export async function meantCandidate(
  claim: ReadText,
  candidates: readonly MeaningCandidate[],
  nearness: Nearness,
): Promise<MeaningCandidate | undefined> {
  const compared = candidates.slice(0, COMPARED);
  if (compared.length === 0) return undefined;
  const near = await nearness(
    claim.text.trim(),
    compared.map(({ text }) => text),
  );
  const [best] = compared
    .map((candidate, at) => ({ candidate, near: near?.[at] ?? 0 }))
    .sort((a, b) => b.near - a.near);
  if (best === undefined || !isMeant({ ...best, loss: 0 })) return undefined;
  const without = best.candidate.foreign.map((word) => textWithout(claim.text, word));
  const likenessWithout = without.length === 0 ? [] : await nearness(best.candidate.text, without);
  if (likenessWithout === undefined) return undefined;
  return isMeant({ ...best, loss: Math.max(0, ...likenessWithout.map((other) => other - best.near)) })
    ? best.candidate
    : undefined;
}

function textWithout(text: string, { start, end }: ReadWord): string {
  return `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}`.trim();
}

type Compared = {
  readonly candidate: MeaningCandidate;
  readonly near: number;
  /** How much nearer the claim comes without one of its foreign words: the most of all of them. */
  readonly loss: number;
};

/**
 * A logistic model of claims about short texts that words decide nothing of, true ones, turned ones and true ones with a
 * word exchanged, by bge-small-en-v1.5 (`test/golden/guard`, the tuning parts; decision 0160).
 */
const MEANT = { bias: -4.48, near: 7.19, loss: -47.3, leastProbability: 0.5 } as const;

function isMeant({ near, loss }: Compared): boolean {
  const score = MEANT.bias + MEANT.near * near + MEANT.loss * loss;
  return 1 / (1 + Math.exp(-score)) >= MEANT.leastProbability;
}
