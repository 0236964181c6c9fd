import type { LanguageModel, ModelEvent } from '../llm/language-model.ts';
import { modelFaultOf } from '../llm/model-fault.ts';
import { type Composer, type Composition, NO_ANSWER } from './composer.ts';
import { buildPrompt } from './prompt.ts';
import type { Source } from './source.ts';

export type ModelEnd = Omit<Extract<ModelEvent, { type: 'end' }>, 'type'>;

export type ModelComposerDeps = {
  readonly model: LanguageModel;
  readonly temperature: number;
  /** Of the operator for the engine, trusted; `''` = none. */
  readonly instructions: string;
  /** Whether words of sources are marked as data. */
  readonly marksData: boolean;
  /** 96 random bits as hex. */
  readonly newNonce: () => string;
  /** Told before the last text when the model ended; not when it failed. */
  readonly onEnd: (end: ModelEnd) => void;
};

/**
 * A composer that asks a model. An answer that the model did not end itself takes back its last segment, which may be half
 * a sentence. A prompt that is too long is sent once more with half the passages.
 *
 * @throws AppError `llm.unavailable`
 */
export function createModelComposer(deps: ModelComposerDeps): Composer {
  return (composition, signal) => compose(deps, composition, signal);
}

async function* compose(
  deps: ModelComposerDeps,
  composition: Composition,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  try {
    yield* write(deps, composition, signal);
  } catch (error) {
    const half = withHalfThePassages(composition);
    if (modelFaultOf(error)?.reason !== 'context-too-long' || half === undefined) throw error;
    yield* write(deps, half, signal);
  }
}

async function* write(
  deps: ModelComposerDeps,
  composition: Composition,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { model, temperature, instructions, marksData } = deps;
  const options = { instructions, marksData, nonce: deps.newNonce(), contextTokens: model.contextTokens };
  const prompt = buildPrompt(composition, options);
  let hasText = false;
  for await (const event of model.stream({ ...prompt, purpose: composition.purpose, temperature }, signal)) {
    if (event.type === 'text') {
      hasText = true;
      yield event.text;
      continue;
    }
    deps.onEnd({ finish: event.finish, usage: event.usage });
    const isBrokenOff = event.finish === 'length' || event.finish === 'filtered';
    if (isBrokenOff && hasText) yield ` ${NO_ANSWER}`;
  }
}

/** The better half, at least one; undefined when there is but one. */
function withHalfThePassages(composition: Composition): Composition | undefined {
  const passages = composition.sources.flatMap((source) => source.passages);
  if (passages.length < 2) return undefined;
  const kept = new Set(passages.slice(0, Math.floor(passages.length / 2)));
  const [first, ...more] = composition.sources.flatMap((source): Source[] => {
    const [one, ...others] = source.passages.filter((passage) => kept.has(passage));
    return one === undefined ? [] : [{ ...source, passages: [one, ...others] }];
  });
  return first === undefined ? undefined : { ...composition, sources: [first, ...more] };
}
