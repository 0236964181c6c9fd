import { unlessAborted } from '../core/concurrency.ts';
import { modelOfVectorSet } from '../core/document-vectors.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import type { VectorQuery } from '../search-index/vector-index.ts';

/** What the cosines of a question are measured by, as each model has a range of its own. */
export type CosineScale = {
  /** Of questions and texts that have nothing to do with each other, by this model. */
  readonly unrelated: number;
  /** Of questions and texts that answer them, by this model; more than `unrelated`. */
  readonly related: number;
  /** Of this question and texts about other matters: some questions are nearer to everything. */
  readonly ordinary: number;
};

export type CosineScalesDeps = {
  readonly models: { named(name: string): EmbeddingModel | undefined };
};

export type CosineScales = {
  /** Undefined when the model of the set is away, or tells no difference. */
  of(query: VectorQuery, signal: AbortSignal): Promise<CosineScale | undefined>;
};

/** Questions of everyday matters and what answers them, in other words. */
export const RELATED_TEXTS = [
  ['When can I buy rolls?', 'The bakery opens at seven on weekdays, on Sundays an hour later.'],
  ['How do I look after the chain of my bike?', 'Oil it after every ride in the rain and wipe off what is left.'],
  ['How long may I keep a book?', 'The library lends for four weeks, which may be extended twice.'],
  ['What do whales do when they need air?', 'They come up to the surface every twenty minutes or so.'],
  ['How is the printer set up?', 'Connect it by its cable and choose Add device in the settings of the system.'],
  ['Where do I read what the council decided?', 'Minutes of the meetings are published within ten days.'],
  ['Can I send goods back?', 'Returns are accepted within thirty days when the box is unopened.'],
  ['What does the function give for an empty list?', 'It returns the number of items, which is then zero.'],
  ['Is there a train to the sea?', 'Services to the coast leave every half hour from platform two.'],
  ['How much light do tomatoes need?', 'Six hours of sun a day, and water in the morning.'],
  ['Since when has the town had a hospital?', 'It was built in 1848 beside the mill and burned down later.'],
  ['How long is the guarantee?', 'Faults of material are repaired for two years from the day of purchase.'],
  ['Do kids pay on the bus?', 'Children under six travel free when they are with an adult.'],
  ['How many days off do employees have?', 'Leave is twenty-eight days a year, to be taken before the end of March.'],
  ['How often may I take the tablets?', 'Two with water after a meal, at most three times a day.'],
  ['Why was my connection cut off?', 'The error means that the server was closed before all data had arrived.'],
] as const;

/** A model of this machine takes half a second of a core. */
const WITHIN_MS = 5_000;

/** Of what answers and what is unrelated: e5-small-v2 has .06, bge-small .15, all-MiniLM-L6-v2 .30. */
const LEAST_DIFFERENCE = 0.03;

type ModelScale = Omit<CosineScale, 'ordinary'> & { readonly passages: readonly Float32Array[] };

/** Asks each model once, 32 short texts, when its first question comes; who asks meanwhile waits for the same. */
export function createCosineScales({ models }: CosineScalesDeps): CosineScales {
  const scales = new Map<string, Promise<ModelScale | undefined>>();

  function scaleOf(set: string): Promise<ModelScale | undefined> {
    const known = scales.get(set);
    if (known !== undefined) return known;
    const made = measure(models.named(modelOfVectorSet(set)));
    scales.set(set, made);
    // Asked again at the next question.
    const forget = () => scales.delete(set);
    made.then((scale) => scale ?? forget(), forget);
    return made;
  }

  return {
    async of({ set, vector }, signal) {
      // What the fault was is told by the policy of the model.
      const scale = await unlessAborted(
        scaleOf(set).catch(() => undefined),
        signal,
      );
      if (scale === undefined) return undefined;
      const { unrelated, related, passages } = scale;
      return { unrelated, related, ordinary: mean(passages.map((passage) => dot(passage, vector))) };
    },
  };
}

async function measure(model: EmbeddingModel | undefined): Promise<ModelScale | undefined> {
  const signal = AbortSignal.timeout(WITHIN_MS);
  const questions = await model?.embed(
    RELATED_TEXTS.map(([question]) => question),
    'query',
    signal,
  );
  const passages = await model?.embed(
    RELATED_TEXTS.map(([, passage]) => passage),
    'passage',
    signal,
  );
  if (questions === undefined || passages === undefined) return undefined;
  const cosines = questions.map((question) => passages.map((passage) => dot(question, passage)));
  const related = mean(cosines.map((own, at) => own[at] ?? 0));
  const unrelated = mean(cosines.flatMap((own, at) => own.filter((_, other) => other !== at)));
  return related - unrelated >= LEAST_DIFFERENCE ? { related, unrelated, passages } : undefined;
}

/** Of vectors of length 1: their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
