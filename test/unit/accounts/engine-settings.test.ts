import { expect, test } from 'vitest';
import {
  ENGINE_DEFAULTS,
  ENGINE_SETTINGS,
  PUBLIC_DEFAULTS,
  PUBLIC_SETTINGS,
} from '../../../src/accounts/engine-settings.ts';

test('a new engine has the settings of the contract', () => {
  const facet = { orderBy: 'DocCount', direction: 'Desc', size: 50, includeEmpty: false, operator: 'Or', facets: [] };

  expect(ENGINE_DEFAULTS).toEqual({
    aiEnabled: false,
    features: [],
    perPage: 10,
    operator: 'OR',
    facets: [{ name: 'Category', field: 'Category', ...facet }],
    highlight: { preTag: '<b>', postTag: '</b>', fragmentSize: 160, numberOfFragments: 3, noMatchSize: 0 },
    autocompleteMode: 'suggestions',
    fieldMode: 'auto',
    enabledFields: [],
    hybridSearch: false,
    aiMinScore: undefined,
    aiInstructions: undefined,
    trustedCustomPrompt: false,
    citationFragments: false,
    answerThreshold: undefined,
    recency: undefined,
    corsOrigins: [],
    rawBannerHtml: false,
    page: undefined,
  });
});

test('a new engine has the public settings of the contract', () => {
  expect(PUBLIC_DEFAULTS).toEqual({
    enableGoogleAnalyticsIntegration: false,
    enableSiteimproveAnalyticsIntegration: false,
    optOutCookieTracking: false,
    enableAnonymousTracking: false,
    customEngineSettings: {},
    configurations: {},
    subscriptionFeatures: expect.arrayContaining(['sayt', 'instant suggestions']),
    quotas: {},
    instantSuggestions: { suggestions: [], limit: 5, showRecentSearches: false },
  });
});

const RECENCY = { field: 'Published_date', halfLifeDays: 30, weight: 0.3 };

test('full settings stay as they are', () => {
  const settings = { ...ENGINE_DEFAULTS, aiMinScore: 0.4, recency: RECENCY, corsOrigins: ['https://a.test'] };

  expect(ENGINE_SETTINGS.parse(settings)).toEqual(settings);
  expect(PUBLIC_SETTINGS.parse(PUBLIC_DEFAULTS)).toEqual(PUBLIC_DEFAULTS);
});

test.each<[what: string, settings: object]>([
  ['an unknown member', { perpage: 5 }],
  ['a page above the window', { perPage: 10_001 }],
  ['an unknown operator', { operator: 'or' }],
  ['a facet without a field', { facets: [{ name: 'A' }] }],
  ['facets four levels deep', { facets: [nested(4)] }],
  ['null', { perPage: null }],
  ['an empty instruction', { aiInstructions: '' }],
  ['an instruction of 4,001 characters', { aiInstructions: 'x'.repeat(4_001) }],
  ['a threshold above 1', { answerThreshold: 1.1 }],
  ['recency without a field', { recency: { halfLifeDays: 30, weight: 0.3 } }],
  ['a half-life of no time', { recency: { field: 'Published_date', halfLifeDays: 0, weight: 0.3 } }],
  ['a negative weight of recency', { recency: { field: 'Published_date', halfLifeDays: 30, weight: -1 } }],
])('%s is refused', (_what, settings) => {
  expect(ENGINE_SETTINGS.safeParse(settings).success).toBe(false);
});

test('facets nest three levels', () => {
  expect(ENGINE_SETTINGS.safeParse({ facets: [nested(3)] }).success).toBe(true);
});

test.each<[what: string, settings: object]>([
  ['an unknown feature', { subscriptionFeatures: ['teleportation'] }],
  ['a limit of nothing', { instantSuggestions: { limit: 0 } }],
])('%s is refused in public settings', (_what, settings) => {
  expect(PUBLIC_SETTINGS.safeParse(settings).success).toBe(false);
});

function nested(levels: number): object {
  const facets = levels === 1 ? [] : [nested(levels - 1)];
  return { name: `Level ${levels}`, field: 'Category', facets };
}
