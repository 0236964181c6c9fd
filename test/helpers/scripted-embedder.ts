import type { EmbeddingModel } from '../../src/llm/embedding-model.ts';
import { modelUnavailable } from '../../src/llm/model-fault.ts';
import { unitVector } from '../../src/llm/unit-vector.ts';
import { hashedBag } from './fake-model-answers.ts';

export type ScriptedEmbedder = EmbeddingModel & {
  /** Texts of all calls, in order. */
  readonly texts: readonly string[];
};

export const FAILING_WORD = 'faulter';

/** Few words share a place of so long a vector. */
const DIMENSIONS = 4_096;

/**
 * A model for which texts are near that share words, and words of one group are the same word. A text with the failing
 * word makes its call fail.
 */
export function createScriptedEmbedder(...sameMeaning: readonly (readonly string[])[]): ScriptedEmbedder {
  const texts: string[] = [];
  const meaningOf = (text: string) =>
    sameMeaning.reduce(
      (written, [first = '', ...others]) => written.replace(new RegExp(`\\b(?:${others.join('|')})\\b`, 'gi'), first),
      text,
    );
  return {
    id: 'scripted',
    dimensions: DIMENSIONS,
    async embed(wanted, _kind, signal) {
      signal.throwIfAborted();
      texts.push(...wanted);
      if (wanted.some((text) => text.includes(FAILING_WORD))) throw modelUnavailable('http-status');
      return wanted.map((text) => unitVector(hashedBag(meaningOf(text), DIMENSIONS)));
    },
    texts,
  };
}
