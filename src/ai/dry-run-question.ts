import type { EngineStores } from '../storage/engine-store.ts';
import type { DryRunQuestion, NearestPage } from './content-gaps.ts';
import { type DryRunAnswer, type DryRunDeps, dryRunAnswer } from './dry-run-answer.ts';

const NEAREST_PAGES = 3;

export type QuestionDryRunDeps = Omit<DryRunDeps, 'languageModels'> & {
  readonly engineStores: Pick<EngineStores, 'of'>;
};

/** Looks for an answer made of passages, without a conversation and without a model. */
export function createQuestionDryRun(deps: QuestionDryRunDeps): DryRunQuestion {
  return async ({ engine, question, language }, signal) => {
    const [quoted] = await dryRunAnswer(
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
  { engineStores }: QuestionDryRunDeps,
  engineId: number,
  { refusal, cited }: DryRunAnswer,
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
