import { z } from 'zod';
import type { PublicSettings } from '../core/records.ts';

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
  enableGoogleAnalyticsIntegration: z.boolean().default(false),
  enableSiteimproveAnalyticsIntegration: z.boolean().default(false),
  optOutCookieTracking: z.boolean().default(false),
  enableAnonymousTracking: z.boolean().default(false),
  customEngineSettings: z.record(z.string(), z.unknown()).default({}),
  configurations: z.record(z.string(), z.unknown()).default({}),
  subscriptionFeatures: z.array(z.enum(PUBLIC_FEATURES)).default([...PROVIDED_FEATURES]),
  quotas: z.record(z.string(), z.number()).default({}),
  instantSuggestions: z
    .strictObject({
      suggestions: z.array(z.string().min(1)).max(1_000).default([]),
      limit: z.int().min(1).default(5),
      showRecentSearches: z.boolean().default(false),
    })
    .prefault({}),
});

/** Public settings of a new engine. Contract: 7. */
export const PUBLIC_DEFAULTS: PublicSettings = PUBLIC_SETTINGS.parse({});
