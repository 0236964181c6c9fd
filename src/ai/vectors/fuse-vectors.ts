import type { RankedPassage, Ranking } from '../ranking.ts';

/** What the highest cosine adds to the score of a block at weight 1 (decision 89). */
const BLOCK_GAIN = 4;

/**
 * Orders the passages by `1 - weight` of their score and `weight` of their cosine, both scaled to 0 to 1 over all of
 * them (answers design 4, item 5); a passage without a vector has the lowest cosine. Scores stay in the range they had.
 * Blocks score more the nearer their passage is, as reranking knows of no vector.
 */
export function fuseVectors(ranking: Ranking, weight: number): Ranking {
  const { passages } = ranking;
  if (passages.every(({ cosine }) => cosine === undefined)) return ranking;
  const byWords = scaleOf(passages.map(({ score }) => score));
  const cosines = passages.flatMap(({ cosine }) => cosine ?? []);
  const byVectors = scaleOf(cosines);
  const fused = passages.map((ranked) => {
    const cosine = ranked.cosine === undefined ? 0 : byVectors.share(ranked.cosine);
    const nearness = weight * cosine;
    const share = (1 - weight) * byWords.share(ranked.score) + nearness;
    return { ...ranked, score: byWords.low + share * byWords.range, blocks: nearer(ranked, nearness) };
  });
  fused.sort((a, b) => b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal);
  return { ...ranking, passages: fused };
}

/** The ranking by words alone: the gate is made for it, and vectors of an unknown model must not move it. */
export function withoutVectorCandidates(ranking: Ranking): Ranking {
  return { ...ranking, passages: ranking.passages.filter(({ isVectorCandidate }) => isVectorCandidate !== true) };
}

function nearer({ blocks }: RankedPassage, nearness: number): RankedPassage['blocks'] {
  return blocks.map((block) => ({ ...block, score: block.score + BLOCK_GAIN * nearness }));
}

function scaleOf(values: readonly number[]) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = high - low;
  return { low, range, share: (value: number) => (range > 0 ? (value - low) / range : 0) };
}
