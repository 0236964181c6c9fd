import { unlessAborted } from '../core/concurrency.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import { dot } from '../search/cosine-scale.ts';
import type { Nearness } from './support/meaning-check.ts';

/** Texts of one answer that are embedded. */
const MAX_TEXTS = 40;
/** How long an answer waits for the vectors of one comparison. */
const DEADLINE_MS = 1_000;
/** The first comparison need not wait for the end of it. */
const SCALE_DEADLINE_MS = 30_000;

/** Sentences that have nothing to do with each other. */
const UNRELATED = [
  'The library opens at nine.',
  'Bees make honey in summer.',
  'The engine needs new oil.',
  'Our team won the final match.',
  'Bread is baked in an oven.',
  'The river flows into the sea.',
  'Passwords expire every year.',
  'She paints with watercolours.',
] as const;

/**
 * How near texts are by the cosine of their vectors, on the scale of the model: its mean cosine of unrelated sentences
 * is 0, which is told once. For each answer anew: at most 40 texts, a second for each comparison, and nothing more once
 * the model has failed or been too slow: words decide then, as they do without one.
 */
export function createNearness(model: EmbeddingModel): (signal: AbortSignal) => Nearness {
  let zero: Promise<number> | undefined;
  const zeroOfScale = (): Promise<number> => {
    zero ??= model.embed(UNRELATED, 'passage', AbortSignal.timeout(SCALE_DEADLINE_MS)).then(meanCosine);
    zero.catch(() => {
      zero = undefined;
    });
    return zero;
  };
  return (signal) => nearnessWithin(model, { zeroOfScale, signal });
}

type Limits = { readonly zeroOfScale: () => Promise<number>; readonly signal: AbortSignal };

function nearnessWithin(model: EmbeddingModel, { zeroOfScale, signal }: Limits): Nearness {
  const vectors = new Map<string, Float32Array>();
  let left = MAX_TEXTS;
  return async (text, others) => {
    const wanted = [...new Set([text, ...others])].filter((each) => !vectors.has(each));
    left -= wanted.length;
    if (left < 0) return undefined;
    try {
      const until = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
      const zero = await unlessAborted(zeroOfScale(), until);
      const embedded = wanted.length === 0 ? [] : await model.embed(wanted, 'passage', until);
      for (const [at, vector] of embedded.entries()) vectors.set(wanted[at] ?? '', vector);
      return others.map((other) => (cosineOf(vectors.get(text), vectors.get(other)) - zero) / (1 - zero));
    } catch {
      // What the fault was is told by the policy of the model.
      left = 0;
      return undefined;
    }
  };
}

function meanCosine(vectors: readonly Float32Array[]): number {
  const cosines = vectors.flatMap((a, at) => vectors.slice(at + 1).map((b) => dot(a, b)));
  return cosines.reduce((sum, each) => sum + each, 0) / cosines.length;
}

function cosineOf(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a === undefined || b === undefined ? 0 : dot(a, b);
}
