import type { ApiSettings } from '../../src/api/settings.ts';

const NO_LIMIT = { perSecond: 0, burst: 0 };
/** No rate limits. */
export const UNLIMITED = { search: NO_LIMIT, ai: NO_LIMIT, tracking: NO_LIMIT, management: NO_LIMIT };

/** The defaults of the product, without rate limits. */
export const API_SETTINGS: ApiSettings = {
  region: 'any',
  corsAllowedOrigins: ['*'],
  corsManagement: false,
  publicSettingsAllowBasic: false,
  publicSettingsAllowAnonymous: false,
  searchPage: true,
  trustedProxies: [],
  rates: UNLIMITED,
  maxBodyBytes: 1_000_000,
  maxDocumentsBytes: 20_000_000,
  maxDocumentsPerRequest: 1_000,
  maxPathsPerRequest: 1_000,
  maxResultWindow: 10_000,
  maxSearchCostMs: 30_000,
  maxQuestionChars: 4_000,
  answerDeadlineMs: 75_000,
  streamHeaderPrefixes: ['Service'],
  htmlHookPrefixes: ['data-search'],
};
