import type { EngineStores } from '../storage/engine-store.ts';
import type { NearestPage, TryQuestion } from './content-gaps.ts';
import { type TriedAnswer, type TryAnswerDeps, tryAnswer } from './try-answer.ts';

const NEAREST_PAGES = 3;

export type QuestionTrialDeps = Omit<TryAnswerDeps, 'languageModels'> & {
  readonly engineStores: Pick<EngineStores, 'of'>;
};

/** Looks for an answer made of passages, without a conversation and without a model. */
export function questionTrial(deps: QuestionTrialDeps): TryQuestion {
  return async ({ engine, question, language }, signal) => {
    const [quoted] = await tryAnswer(
      { ...deps, languageModels: undefined },
      { engine, question, language, modelBasis: undefined, addUsage: () => undefined, signal },
    );
    if (quoted === undefined) return { nearest: [], citedChangedAt: undefined };
    const nearest = new Map<string, NearestPage>();
    for (const { url, title } of quoted.passages) {
      if (nearest.size === NEAREST_PAGES) break;
      nearest.set(url, { url, title });
    }
    return { nearest: [...nearest.values()], citedChangedAt: await latestChange(deps, engine.id, quoted) };
  };
}

/** Of the pages that the answer cites; undefined without an answer. */
async function latestChange(
  { engineStores }: QuestionTrialDeps,
  engineId: number,
  { refusal, cited }: TriedAnswer,
): Promise<number | undefined> {
  if (refusal !== undefined) return undefined;
  const store = await engineStores.of(engineId);
  let latest: number | undefined;
  for (const { crawlerId, documentId } of cited) {
    const document = await store.findDocument(crawlerId, documentId);
    if (document !== undefined) latest = Math.max(latest ?? 0, document.updatedAt);
  }
  return latest;
}
