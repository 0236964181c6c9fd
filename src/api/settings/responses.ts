import type { PublishedSettings } from '../../accounts/read-public-settings.ts';

/** Exactly the members and casing of contract 7; two of them are JSON texts that the client parses again. */
export function publicSettingsBody({ engine, settings, quicklinks, instantSuggestions }: PublishedSettings) {
  return {
    enableGoogleAnalyticsIntegration: settings.enableGoogleAnalyticsIntegration,
    enableSiteimproveAnalyticsIntegration: settings.enableSiteimproveAnalyticsIntegration,
    optOutCookieTracking: settings.optOutCookieTracking,
    enableAnonymousTracking: settings.enableAnonymousTracking,
    Engines: [engine.id],
    quicklinks: quicklinks.map(({ id, url, engineId, terms }) => {
      return { id, url, websiteid: engineId, terms: terms.map(({ name }) => ({ name })) };
    }),
    customEngineSettings: JSON.stringify(settings.customEngineSettings),
    configurations: settings.configurations,
    subscriptionDigest: { features: settings.subscriptionFeatures, quotas: settings.quotas },
    instantSuggestionsConfiguration: JSON.stringify({
      suggestions: instantSuggestions.suggestions,
      limit: instantSuggestions.limit,
      showRecentSearches: instantSuggestions.showRecentSearches,
    }),
    language: engine.language,
  };
}
