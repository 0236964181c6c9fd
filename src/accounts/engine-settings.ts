import { z } from 'zod';
import {
  type EngineSettings,
  FACET_DIRECTIONS,
  FACET_OPERATORS,
  FACET_ORDERS,
  type FacetConfig,
} from '../core/records.ts';

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

/** Partial settings of an engine → full settings with the defaults of contract 1.10; unknown members are refused. */
export const ENGINE_SETTINGS: z.ZodType<EngineSettings> = z.strictObject({
  aiEnabled: z.boolean().default(false),
  features: z.array(z.string().min(1)).default([]),
  perPage: z.int().min(1).max(MAX_PER_PAGE).default(10),
  operator: z.enum(['OR', 'AND']).default('OR'),
  facets: FACETS.default([completeFacet({ name: 'Category', field: 'Category' })]),
  highlight: z
    .strictObject({
      preTag: z.string().max(200).default('<b>'),
      postTag: z.string().max(200).default('</b>'),
      fragmentSize: z.int().min(1).max(10_000).default(160),
      numberOfFragments: z.int().min(0).max(100).default(3),
      noMatchSize: z.int().min(0).max(10_000).default(0),
    })
    .prefault({}),
  autocompleteMode: z.enum(['suggestions', 'titles']).default('suggestions'),
  fieldMode: z.enum(['auto', 'strict']).default('auto'),
  enabledFields: z.array(z.string().min(1)).default([]),
  hybridSearch: z.boolean().default(false),
  aiMinScore: z
    .number()
    .min(0)
    .optional()
    .transform((score) => score),
  aiInstructions: z
    .string()
    .min(1)
    .max(MAX_INSTRUCTION_CHARS)
    .optional()
    .transform((text) => text),
  trustedCustomPrompt: z.boolean().default(false),
  citationFragments: z.boolean().default(false),
  answerThreshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .transform((threshold) => threshold),
  recency: RECENCY.optional().transform((rule) => rule),
  corsOrigins: z.array(z.string().min(1)).default([]),
  rawBannerHtml: z.boolean().default(false),
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
