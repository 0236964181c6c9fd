import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ENGINE_SETTINGS, PUBLIC_SETTINGS } from '../../../accounts/engine-settings.ts';
import type { EngineSettings } from '../../../core/records.ts';
import { type CrawlSettings, crawlSettings } from '../../../crawl/rules/settings.ts';
import { type JsonSchema, jsonSchemaOf, type Shown } from '../../openapi/json-schema.ts';
import { visibleCustomers } from '../access.ts';

const CRAWLER_GROUPS = {
  scope: 'What is visited',
  urls: 'Forms of URLs',
  schedule: 'When',
  pace: 'Pace and limits',
  content: 'What is read',
  signals: 'What sites say',
  access: 'Access',
  removal: 'Removal and duplicates',
} as const;

const CRAWLER_MEMBERS: Readonly<Record<keyof CrawlSettings, keyof typeof CRAWLER_GROUPS>> = {
  seeds: 'scope',
  domains: 'scope',
  include: 'scope',
  exclude: 'scope',
  noIndex: 'scope',
  noFollow: 'scope',
  followLinks: 'scope',
  sitemaps: 'scope',
  feeds: 'scope',
  fileTypes: 'scope',
  queryParams: 'urls',
  stripTracking: 'urls',
  stripSession: 'urls',
  urlForm: 'urls',
  schedule: 'schedule',
  timezone: 'schedule',
  window: 'schedule',
  interval: 'schedule',
  lastmod: 'schedule',
  politeness: 'pace',
  limits: 'pace',
  timeouts: 'pace',
  language: 'content',
  content: 'content',
  render: 'content',
  rendering: 'content',
  robots: 'signals',
  robotsMeta: 'signals',
  robotsToken: 'signals',
  canonical: 'signals',
  crossHostCanonical: 'signals',
  honourNofollow: 'signals',
  userAgent: 'access',
  acceptLanguage: 'access',
  privateNames: 'access',
  headers: 'access',
  cookies: 'access',
  basicAuth: 'access',
  login: 'access',
  proxy: 'access',
  tls: 'access',
  duplicates: 'removal',
  removal: 'removal',
};

const ENGINE_GROUPS = {
  results: 'Results',
  answers: 'Answers',
  page: 'Search page',
  front: 'For front ends',
} as const;

const ENGINE_MEMBERS: Readonly<Record<keyof EngineSettings | 'publicSettings', keyof typeof ENGINE_GROUPS>> = {
  perPage: 'results',
  operator: 'results',
  dropWordsBelow: 'results',
  facets: 'results',
  highlight: 'results',
  autocompleteMode: 'results',
  fieldMode: 'results',
  enabledFields: 'results',
  hybridSearch: 'results',
  recency: 'results',
  aiEnabled: 'answers',
  features: 'answers',
  aiMinScore: 'answers',
  aiInstructions: 'answers',
  trustedCustomPrompt: 'answers',
  citationFragments: 'answers',
  answerThreshold: 'answers',
  page: 'page',
  corsOrigins: 'front',
  rawBannerHtml: 'front',
  publicSettings: 'front',
};

const SCHEMA = z.record(z.string(), z.unknown());
export const SETTINGS_SCHEMA_BODY = z
  .object({
    schema: SCHEMA.describe('JSON Schema 2020-12, with description, default and examples of each setting.'),
    groups: z.array(z.object({ name: z.string(), title: z.string(), members: z.array(z.string()) })),
  })
  .meta({ id: 'SettingsSchema' });

/** What crawlers and engines can be set to: the schemas that check what is saved. */
export function schemaRoutes(): FastifyPluginAsync {
  const ofEngines = ENGINE_SETTINGS.extend({ publicSettings: PUBLIC_SETTINGS });
  return async (app) => {
    app.get('/schemas/crawler', { config: { access: 'editor' } }, async (request) =>
      schemaBody(request, jsonSchemaOf(crawlSettings, 'input'), groupsOf(CRAWLER_GROUPS, CRAWLER_MEMBERS)),
    );

    app.get('/schemas/engine', { config: { access: 'editor' } }, async (request) =>
      schemaBody(request, jsonSchemaOf(ofEngines, 'input'), groupsOf(ENGINE_GROUPS, ENGINE_MEMBERS)),
    );
  };
}

function schemaBody(
  request: FastifyRequest,
  schema: JsonSchema,
  groups: SettingGroups,
): Shown<typeof SETTINGS_SCHEMA_BODY> {
  // Schemas are of no customer: everybody sees the same.
  visibleCustomers(request);
  return { schema, groups };
}

type SettingGroups = Shown<typeof SETTINGS_SCHEMA_BODY>['groups'];

function groupsOf(
  titles: Readonly<Record<string, string>>,
  groupByMember: Readonly<Record<string, string>>,
): SettingGroups {
  const members = Object.entries(groupByMember);
  return Object.entries(titles).map(([name, title]) => ({
    name,
    title,
    members: members.filter(([, group]) => group === name).map(([member]) => member),
  }));
}
