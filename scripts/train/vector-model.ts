import { writeFileSync } from 'node:fs';
import { type BlockModel, blockModelOf } from '../../src/ai/blocks/rank-blocks.ts';
import { bestBlocks, type CosinesOf, rankByVectors, scoredPassages } from '../../src/ai/vectors/rank-by-vectors.ts';
import {
  VECTOR_GATE_FEATURES,
  type VectorGate,
  vectorGateFeatures,
} from '../../src/ai/vectors/vector-answerability.ts';
import {
  COMPARISON_FEATURES,
  comparisonRows,
  textOf,
  VECTOR_FEATURES,
  type VectorRanking,
} from '../../src/ai/vectors/vector-features.ts';
import { VECTOR_MODEL_URL, type VectorModel, type VectorModelFile } from '../../src/ai/vectors/vector-model.ts';
import { FAR_REFUSED, RARE_WEIGHTS, SIGNS } from './answerability.ts';
import type { TrainOptions } from './boosted-trees.ts';
import { areaUnderCurve, type LabelledRow, probability, trainLogistic } from './logistic-regression.ts';
import { type RankedGroup, trainRanking } from './rank-trees.ts';

/** A question with its passages as words and vectors found them. */
export type VectorExample = {
  /** That it is asked of: held out as a whole. */
  readonly site: string;
  readonly kind: 'answerable' | 'far' | 'near';
  readonly ranking: VectorRanking;
  /** As `readVectorFeatures` gives them for the ranking. */
  readonly rows: Float32Array;
  /** What it is worth to quote each of these blocks first; 0 = nothing. */
  readonly gains: readonly number[];
  readonly cosinesOf: CosinesOf;
};

/** Small models know English alone: in other languages words judge, and vectors have a share in the order. */
export const VECTOR_LANGUAGES: readonly string[] = ['en'];

/** Found by folds of whole sites (docs/answers.md). */
const BLOCK_OPTIONS: TrainOptions = {
  trees: 80,
  learningRate: 0.08,
  leaves: 10,
  minRowsPerLeaf: 80,
  l2: 5,
  columnShare: 0.3,
};
const COMPARISON_OPTIONS: TrainOptions = {
  trees: 60,
  learningRate: 0.05,
  leaves: 6,
  minRowsPerLeaf: 80,
  l2: 5,
  columnShare: 0.5,
};
/** Parts of the sites. */
const FOLDS = 4;
const VECTOR_SIGNS: Readonly<Record<(typeof VECTOR_GATE_FEATURES)[number], -1 | 1>> = {
  ...SIGNS,
  nearest: 1,
  ordinary: -1,
  topCosine: 1,
  topBlockCosine: 1,
  bestBlockCosine: 1,
  bestScore: 1,
};
/** Digits that thresholds and values keep in the file. */
const DIGITS = 4;

export type TrainedVectors = {
  readonly file: VectorModelFile;
  /** By site: one that knows no question of it. */
  readonly bySite: ReadonlyMap<string, VectorModel>;
  /** Of questions whose site was not trained on. */
  readonly areaUnderCurve: number;
};

export type TrainedWith = Pick<VectorModelFile, 'trainedOn' | 'embedder' | 'languages'>;

/**
 * Three models in turn, each taught by what those before it say of sites that they do not know: how far blocks answer,
 * what the vectors of the best of them change, and whether their passages answer at all. The same examples in the same
 * order give the same file.
 */
export async function trainVectorModel(
  examples: readonly VectorExample[],
  about: TrainedWith,
): Promise<TrainedVectors> {
  const folds = foldsOf(examples);
  const foldOf = ({ site }: Pick<VectorExample, 'site'>) => folds.get(site) ?? 0;
  const blocks = rankingModels(examples, { features: VECTOR_FEATURES, options: BLOCK_OPTIONS, foldOf });
  const compared: Group[] = [];
  for (const example of examples) compared.push(await comparisonOf(example, blocks.ofFold(foldOf(example))));
  const comparison = rankingModels(compared, { features: COMPARISON_FEATURES, options: COMPARISON_OPTIONS, foldOf });
  const rankersOf = (fold: number) => ({ blocks: blocks.ofFold(fold), comparison: comparison.ofFold(fold) });
  const rows: GateRow[] = [];
  for (const example of examples) rows.push(await gateRowOf(example, rankersOf(foldOf(example))));
  const gates = Array.from({ length: FOLDS }, (_, fold) => gateFrom(rows.filter((row) => foldOf(row) !== fold)));
  const probabilities = rows.map((each) => probabilityOf(gates[foldOf(each)], each));
  const gate = { ...gateFrom(rows), threshold: thresholdOf(rows, probabilities) };
  const { languages } = about;
  const modelOf = (fold: number): VectorModel => ({ ...rankersOf(fold), languages, gate: { ...gate, ...gates[fold] } });
  return {
    file: { version: 1, ...about, blocks: blocks.file, comparison: comparison.file, gate },
    bySite: new Map([...folds].map(([site, fold]) => [site, modelOf(fold)])),
    areaUnderCurve: areaUnderCurve(rows, probabilities),
  };
}

export function writeVectorModel(file: VectorModelFile): void {
  writeFileSync(VECTOR_MODEL_URL, `${JSON.stringify(file)}\n`);
}

function foldsOf(examples: readonly VectorExample[]): ReadonlyMap<string, number> {
  const sites = [...new Set(examples.map(({ site }) => site))];
  return new Map(sites.map((site, at) => [site, at % FOLDS]));
}

type Group = RankedGroup & Pick<VectorExample, 'site' | 'kind'>;
type RankingTask = {
  readonly features: readonly string[];
  readonly options: TrainOptions;
  readonly foldOf: (group: Group) => number;
};
type RankingModels = { readonly file: VectorModelFile['blocks']; readonly ofFold: (fold: number) => BlockModel };

/** A model of all answerable questions, and for each fold one of those of the others. */
function rankingModels(groups: readonly Group[], { features, options, foldOf }: RankingTask): RankingModels {
  const answerable = groups.filter(({ kind }) => kind === 'answerable');
  const train = (own: readonly Group[]) => [...trainRanking(own, features.length, options)];
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    blockModelOf({ trees: train(answerable.filter((group) => foldOf(group) !== fold)) }),
  );
  const trees = train(answerable).map(({ t, v, ...tree }) => ({ ...tree, t: t.map(inFile), v: v.map(inFile) }));
  return { file: { features: [...features], trees }, ofFold: (fold) => models[fold] ?? (() => 0) };
}

/** The blocks that are compared, with their scores by a model that does not know the site. */
async function comparisonOf(
  { site, kind, ranking, gains, cosinesOf }: VectorExample,
  model: BlockModel,
): Promise<Group> {
  const passages = scoredPassages(ranking, model);
  const gainsByBlock = new Map(passages.flatMap(({ blocks }) => blocks).map((block, at) => [block, gains[at] ?? 0]));
  const best = bestBlocks(passages);
  const cosines = await cosinesOf(best.map(({ ranked, block }) => textOf(ranked, block)));
  if (cosines === undefined) throw new Error('the model gave no vectors of blocks in time');
  const compared = best.map((each, at) => ({ ...each, cosine: cosines[at] ?? 0 }));
  return {
    site,
    kind,
    rows: comparisonRows(ranking, compared),
    gains: compared.map(({ block }) => gainsByBlock.get(block) ?? 0),
    scores: compared.map(({ block }) => block.score),
  };
}

type GateRow = LabelledRow & Pick<VectorExample, 'site' | 'kind'>;

async function gateRowOf(
  { site, kind, ranking, cosinesOf }: VectorExample,
  rankers: Pick<VectorModel, 'blocks' | 'comparison'>,
): Promise<GateRow> {
  const features = vectorGateFeatures(await rankByVectors(ranking, rankers, cosinesOf));
  return { site, kind, row: VECTOR_GATE_FEATURES.map((name) => features[name]), isPositive: kind === 'answerable' };
}

function gateFrom(rows: readonly GateRow[]): Pick<VectorGate, 'bias' | 'weights'> {
  const signs = VECTOR_GATE_FEATURES.map((name) => VECTOR_SIGNS[name]);
  const { bias, weights } = trainLogistic(rows, signs);
  const named = VECTOR_GATE_FEATURES.map((name, at) => [name, inFile(weights[at] ?? 0)] as const);
  return { bias: inFile(bias), weights: { ...(Object.fromEntries(named) as VectorGate['weights']), ...RARE_WEIGHTS } };
}

function probabilityOf(gate: Pick<VectorGate, 'bias' | 'weights'> | undefined, { row }: GateRow): number {
  const weights = VECTOR_GATE_FEATURES.map((name) => gate?.weights[name] ?? 0);
  return probability({ bias: gate?.bias ?? 0, weights }, row);
}

function inFile(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/**
 * The smallest that refuses as many of the far questions as the gate by words, and so many of the near ones as that does
 * on graded sites: what is won is answered.
 */
const REFUSED = { far: FAR_REFUSED, near: 0.63 } as const;
const THRESHOLD_STEP = 0.01;

function thresholdOf(rows: readonly GateRow[], probabilities: readonly number[]): number {
  const refusedAt = (threshold: number, wanted: 'far' | 'near') => {
    const own = probabilities.filter((_, at) => rows[at]?.kind === wanted);
    return own.filter((each) => each < threshold).length / Math.max(1, own.length);
  };
  let threshold = THRESHOLD_STEP;
  while (threshold < 1 && (refusedAt(threshold, 'far') < REFUSED.far || refusedAt(threshold, 'near') < REFUSED.near)) {
    threshold += THRESHOLD_STEP;
  }
  return inFile(threshold);
}
