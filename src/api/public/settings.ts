import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { type PublishedSettings, readPublicSettings } from '../../accounts/manage-engines.ts';
import type { ToolStore } from '../../storage/system/tools.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';

export type SettingsDeps = GuardDeps & { readonly systemStore: Pick<ToolStore, 'listTools'> };

/** Public settings, kept by browsers for a minute and then asked for by their tag. Contract: 7. */
export function settingsRoutes(deps: SettingsDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'site-key', rate: 'search' });
    const path = '/api/v3/:customerId/:engineId/websites/publicsettings';
    app.get(path, { onRequest: access.check }, async (request, reply) => {
      const body = JSON.stringify(publicSettingsBody(await readPublicSettings(deps, access.of(request).engine)));
      const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      reply.headers({ ETag: tag, 'Cache-Control': 'public, max-age=60' });
      if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send(body);
    });
  };
}

/** Weak comparison, as RFC 9110 13.1.2 wants it: a proxy may have marked the tag as weak. */
function namesTag(header: string | undefined, tag: string): boolean {
  const named = (header ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(tag);
}

/** Exactly the members and casing of contract 7; two of them are JSON texts that the client parses again. */
function publicSettingsBody({ engine, settings, quicklinks, instantSuggestions }: PublishedSettings) {
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
