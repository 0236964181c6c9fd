import { z } from 'zod';
import {
  type EngineSettings,
  FACET_DIRECTIONS,
  FACET_OPERATORS,
  FACET_ORDERS,
  type FacetConfig,
  type PublicSettings,
} from '../core/records.ts';
import { HOSTED_PAGE } from './hosted-page.ts';

/** Facets may nest this deep: each level multiplies what one search has to count. */
const MAX_FACET_DEPTH = 3;
const MAX_FACETS = 50;
const MAX_PER_PAGE = 10_000;
const MAX_INSTRUCTION_CHARS = 4_000;

const facetMembers = {
  name: z.string().min(1),
  field: z.string().min(1),
  orderBy: z.enum(FACET_ORDERS).default('DocCount'),
  direction: z.enum(FACET_DIRECTIONS).default('Desc'),
  size: z.int().min(1).max(1_000).default(50),
  includeEmpty: z.boolean().default(false),
  operator: z.enum(FACET_OPERATORS).default('Or'),
};

const RECENCY = z.strictObject({
  field: z.string().min(1),
  halfLifeDays: z.number().positive().max(36_500),
  weight: z.number().min(0).max(100),
});

const FACETS = facetList(MAX_FACET_DEPTH);

const characters = (least: number, usual: number) => z.int().min(least).max(10_000).default(usual);

/** Partial settings of an engine → full settings with the defaults of contract 1.10; unknown members are refused. */
export const ENGINE_SETTINGS = z.strictObject({
  aiEnabled: z.boolean().default(false).describe('AI Summary, and AI Chat with the feature `AiChat`.'),
  features: z
    .array(z.string().min(1))
    .default([])
    .meta({
      description: '`AiChat` for questions, `SummaryOptions` for length and style of summaries.',
      examples: [['AiChat']],
    }),
  perPage: z
    .int()
    .min(1)
    .max(MAX_PER_PAGE)
    .default(10)
    .meta({ description: 'Results of searches that name no number.', examples: [20] }),
  operator: z.enum(['OR', 'AND']).default('OR').describe('Between words, of searches that name none.'),
  dropWordsBelow: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .meta({
      description:
        'With `OR`, for searches that name no operator: all words are required at first, and while fewer results than this are left, the most frequent one no longer. Without it any word is enough.',
      examples: [10],
    }),
  facets: FACETS.default([completeFacet({ name: 'Category', field: 'Category' })]).meta({
    description: 'Of searches that name none; `facets` inside are counted per value of the outer one.',
    examples: [[{ name: 'Type', field: 'File_type', orderBy: 'Alphabetically', direction: 'Asc', size: 20 }]],
  }),
  highlight: z
    .strictObject({
      preTag: z
        .string()
        .max(200)
        .default('<b>')
        .meta({ description: 'Before a word.', examples: ['<mark>'] }),
      postTag: z
        .string()
        .max(200)
        .default('</b>')
        .meta({ description: 'Behind it.', examples: ['</mark>'] }),
      fragmentSize: characters(1, 160).meta({ description: 'Characters of a fragment.', examples: [240] }),
      numberOfFragments: z
        .int()
        .min(0)
        .max(100)
        .default(3)
        .meta({ description: 'Of one field; 0: the whole field.', examples: [1] }),
      noMatchSize: characters(0, 0).meta({
        description: 'Characters of the beginning of a field that has none of the words.',
        examples: [160],
      }),
    })
    .prefault({}),
  autocompleteMode: z
    .enum(['suggestions', 'titles'])
    .default('suggestions')
    .describe('What completes: queries, titles and headings, or titles alone.'),
  fieldMode: z
    .enum(['auto', 'strict'])
    .default('auto')
    .describe('`strict`: searches filter, sort, count and boost by `enabledFields` only; `auto`: by every field.'),
  enabledFields: z
    .array(z.string().min(1))
    .default([])
    .meta({ description: 'Fields of the mode `strict`.', examples: [['Category', 'Price_number']] }),
  hybridSearch: z.boolean().default(false).describe('Stored only.'),
  aiMinScore: z
    .number()
    .min(0)
    .optional()
    .meta({
      description: 'How much of the query the best hit covers where `GenerativeAnswerAvailable` is true, 0 to 1.',
      examples: [0.5],
    }),
  aiInstructions: z
    .string()
    .min(1)
    .max(MAX_INSTRUCTION_CHARS)
    .optional()
    .meta({ description: 'Words of the operator to the language model.', examples: ['Address readers formally.'] }),
  trustedCustomPrompt: z
    .boolean()
    .default(false)
    .describe('Counts `customPrompt` of callers with an API key as `aiInstructions`.'),
  citationFragments: z.boolean().default(false).describe('Links of answers lead to the place in the page.'),
  answerThreshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({
      description: 'How sure it must be that the pages hold the answer; absent: measured for each language.',
      examples: [0.6],
    }),
  recency: RECENCY.optional().meta({
    description:
      'New documents before old ones that fit as well: a bonus of `weight` that halves every `halfLifeDays` of the date in `field`.',
    examples: [{ field: 'Published_date', halfLifeDays: 90, weight: 0.3 }],
  }),
  corsOrigins: z
    .array(z.string().min(1))
    .default([])
    .meta({
      description: 'Of pages that may ask from a browser; none: those of the installation (`CORS_ORIGINS`).',
      examples: [['https://www.example.com']],
    }),
  rawBannerHtml: z.boolean().default(false).describe('Shows the HTML of banners as it is.'),
  page: HOSTED_PAGE.optional().describe('The search page that is served for the engine.'),
});

/** Settings of a new engine. Contract: 1.10. */
export const ENGINE_DEFAULTS: EngineSettings = ENGINE_SETTINGS.parse({});

/** A facet with the defaults of contract 1.10. */
function completeFacet(facet: Pick<FacetConfig, 'name' | 'field'> & Partial<FacetConfig>): FacetConfig {
  return {
    orderBy: 'DocCount',
    direction: 'Desc',
    size: 50,
    includeEmpty: false,
    operator: 'Or',
    facets: [],
    ...facet,
  };
}

function facetList(depth: number): z.ZodType<FacetConfig[]> {
  const nested = depth === 1 ? z.array(z.never()) : facetList(depth - 1);
  return z.array(z.strictObject({ ...facetMembers, facets: nested.default([]) })).max(MAX_FACETS);
}

/** Features of contract 7 that this version provides: what a new engine has. */
const PROVIDED_FEATURES = [
  'sayt',
  'instant suggestions',
  'related searches',
  'audiences',
  'banner statistics',
  'time-scheduled banners',
  'device analytics',
] as const;

/** All names that contract 7 knows. */
const PUBLIC_FEATURES = [
  ...PROVIDED_FEATURES,
  'voice search',
  'intelligent rankings (ml)',
  'web content highlighter',
  'geo analytics',
  'basic 404',
  'advanced 404 analytics',
  'basic insights',
  'advanced insights',
  'analytics filters',
  'granular permissions',
] as const;

/** Partial public settings → full ones with the defaults of contract 7; unknown members are refused. */
export const PUBLIC_SETTINGS: z.ZodType<PublicSettings> = z.strictObject({
  enableGoogleAnalyticsIntegration: z.boolean().default(false).describe('For the page to act on.'),
  enableSiteimproveAnalyticsIntegration: z.boolean().default(false).describe('The same.'),
  optOutCookieTracking: z.boolean().default(false).describe('The page names no session when it logs.'),
  enableAnonymousTracking: z.boolean().default(false).describe('Nor device and address.'),
  customEngineSettings: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'Whatever the page reads; sent as JSON text.', examples: [{ theme: 'light' }] }),
  configurations: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'The same, sent as it is.', examples: [{ theme: 'light' }] }),
  subscriptionFeatures: z
    .array(z.enum(PUBLIC_FEATURES))
    .default([...PROVIDED_FEATURES])
    .meta({ description: 'What the page may show.', examples: [['sayt', 'instant suggestions']] }),
  quotas: z
    .record(z.string(), z.number())
    .default({})
    .meta({ description: 'Numbers for the page to show.', examples: [{ searches: 10_000 }] }),
  instantSuggestions: z
    .strictObject({
      suggestions: z
        .array(z.string().min(1))
        .max(1_000)
        .default([])
        .meta({ description: 'Shown before anything is typed.', examples: [['opening hours', 'prices']] }),
      limit: z
        .int()
        .min(1)
        .default(5)
        .meta({ description: 'Of those that are shown.', examples: [3] }),
      showRecentSearches: z.boolean().default(false).describe("The visitor's own before them."),
    })
    .prefault({}),
});

/** Public settings of a new engine. Contract: 7. */
export const PUBLIC_DEFAULTS: PublicSettings = PUBLIC_SETTINGS.parse({});
