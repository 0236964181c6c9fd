import type { PublicSettings } from '../../packages/client/src/index.ts';

/** What the engine offers before anything is typed. Contract: 7. */
export type InstantSuggestions = {
  readonly suggestions: readonly string[];
  /** Of both lists together. */
  readonly limit: number;
  readonly showRecentSearches: boolean;
};

export const NO_SUGGESTIONS: InstantSuggestions = { suggestions: [], limit: 0, showRecentSearches: false };

/** Without an answer: nothing. */
export async function readInstantSuggestions(settings: Promise<PublicSettings>): Promise<InstantSuggestions> {
  try {
    const { instantSuggestionsConfiguration } = await settings;
    return { ...NO_SUGGESTIONS, ...JSON.parse(instantSuggestionsConfiguration) };
  } catch {
    return NO_SUGGESTIONS;
  }
}
