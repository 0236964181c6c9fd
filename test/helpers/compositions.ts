import type { Composition } from '../../src/ai/composer.ts';
import type { Source } from '../../src/ai/sources.ts';
import type { Passage } from '../../src/search/passage.ts';
import { passageOf } from './passages.ts';

/** Sources of one passage each, numbered from 1. */
export function sourcesOf(
  ...passages: readonly (Partial<Passage> & { readonly text: string })[]
): Composition['sources'] {
  const [first, ...more] = passages.map(
    (given, index): Source => ({ reference: index + 1, passages: [passageOf({ rid: index + 1, ...given })] }),
  );
  if (first === undefined) throw new Error('a composition has a source');
  return [first, ...more];
}

export function compositionOf(given: Partial<Composition> = {}): Composition {
  return {
    purpose: 'answer',
    question: 'How often is the pump cleaned?',
    language: 'en',
    length: 'concise',
    customPrompt: undefined,
    history: [],
    sources: sourcesOf({ text: 'The pump runs at 40 bar. It is cleaned every week.', title: 'Pump' }),
    ...given,
  };
}
