import type { Engine, PublicSettings } from '../core/records.ts';
import type { Quicklink, ToolStore } from '../storage/tool-store.ts';

export type PublishedSettings = {
  readonly engine: Engine;
  readonly settings: PublicSettings;
  readonly quicklinks: readonly Quicklink[];
  /** Empty with limit 0 when the engine has no feature `instant suggestions`. */
  readonly instantSuggestions: PublicSettings['instantSuggestions'];
};

const NO_SUGGESTIONS: PublicSettings['instantSuggestions'] = { suggestions: [], limit: 0, showRecentSearches: false };

/** What a page may know about its engine: no key, crawler or document. Contract: 7. */
export async function readPublicSettings(
  { systemStore }: { readonly systemStore: Pick<ToolStore, 'listTools'> },
  engine: Engine,
): Promise<PublishedSettings> {
  const settings = engine.publicSettings;
  const { customerId, id: engineId } = engine;
  const suggests = settings.subscriptionFeatures.includes('instant suggestions');
  return {
    engine,
    settings,
    quicklinks: await systemStore.listTools('quicklink', { customerId, engineId }),
    instantSuggestions: suggests ? settings.instantSuggestions : NO_SUGGESTIONS,
  };
}
