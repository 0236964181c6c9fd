import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { type PublishedSettings, readPublicSettings } from '../../accounts/manage-engines.ts';
import type { ToolStore } from '../../storage/system/tools.ts';
import { sendTagged, tagged } from '../entity-tag.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { pageSettingsOf } from '../page-settings.ts';

export type SettingsDeps = GuardDeps & { readonly systemStore: Pick<ToolStore, 'listTools'> };

/** Public settings and those of the page, kept by browsers for a minute and then asked for by their tag. Contract: 7. */
export function settingsRoutes(deps: SettingsDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'site-key', rate: 'search' });
    const path = '/api/v3/:customerId/:engineId/websites/publicsettings';
    app.get(path, { onRequest: access.check }, async (request, reply) => {
      const body = JSON.stringify(publicSettingsBody(await readPublicSettings(deps, access.of(request).engine)));
      reply.header('Cache-Control', 'public, max-age=60');
      return sendTagged(request, reply, tagged(body, 'application/json; charset=utf-8'));
    });
    app.get('/api/v4/:customerId/:engineId/page-settings', { onRequest: access.check }, async (request, reply) => {
      const body = JSON.stringify(pageSettingsOf(access.of(request).engine));
      reply.header('Cache-Control', 'public, max-age=60');
      return sendTagged(request, reply, tagged(body, 'application/json; charset=utf-8'));
    });
  };
}

const JSON_TEXT = z.string().describe('JSON text, which the page parses again.');

export const PUBLIC_SETTINGS_RESPONSE = z
  .object({
    enableGoogleAnalyticsIntegration: z.boolean(),
    enableSiteimproveAnalyticsIntegration: z.boolean(),
    optOutCookieTracking: z.boolean(),
    enableAnonymousTracking: z.boolean(),
    Engines: z.array(z.int()),
    quicklinks: z.array(
      z.object({
        id: z.int(),
        url: z.string(),
        websiteid: z.int(),
        terms: z.array(z.object({ name: z.string() })),
      }),
    ),
    customEngineSettings: JSON_TEXT,
    configurations: z.record(z.string(), z.unknown()),
    subscriptionDigest: z.object({ features: z.array(z.string()), quotas: z.record(z.string(), z.number()) }),
    instantSuggestionsConfiguration: JSON_TEXT,
    language: z.string(),
  })
  .meta({ id: 'PublicSettings' });

/** Exactly the members and casing of contract 7; two of them are JSON texts that the client parses again. */
function publicSettingsBody({
  engine,
  settings,
  quicklinks,
  instantSuggestions,
}: PublishedSettings): Shown<typeof PUBLIC_SETTINGS_RESPONSE> {
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
