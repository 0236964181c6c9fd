import type { ApiSettings } from '../api/settings.ts';
import type { Config } from '../config/config.ts';

const SECONDS_PER_MINUTE = 60;
/** What an answer may take beside its model: its turn in the conversation, and passages in its place. */
const ANSWER_SPARE_MS = 15_000;

/** What the configuration says about the HTTP edge. */
export function apiSettings(config: Config): ApiSettings {
  return {
    region: config.REGION,
    corsAllowedOrigins: config.CORS_ALLOWED_ORIGINS,
    corsManagement: config.CORS_MANAGEMENT,
    publicSettingsAllowBasic: config.PUBLIC_SETTINGS_ALLOW_BASIC,
    publicSettingsAllowAnonymous: config.PUBLIC_SETTINGS_ALLOW_ANONYMOUS,
    searchPage: config.SEARCH_PAGE === 'on',
    trustedProxies: config.TRUST_PROXY,
    rates: {
      search: { perSecond: config.RATE_SEARCH_PER_SECOND, burst: config.RATE_SEARCH_BURST },
      ai: { perSecond: config.RATE_AI_PER_MINUTE / SECONDS_PER_MINUTE, burst: config.RATE_AI_BURST },
      tracking: { perSecond: config.RATE_TRACKING_PER_SECOND, burst: config.RATE_TRACKING_BURST },
      management: { perSecond: config.RATE_MANAGEMENT_PER_SECOND, burst: config.RATE_MANAGEMENT_BURST },
    },
    maxBodyBytes: config.MAX_BODY_BYTES,
    maxDocumentsBytes: config.MAX_DOCUMENTS_BYTES,
    maxDocumentsPerRequest: config.MAX_DOCUMENTS_PER_REQUEST,
    maxPathsPerRequest: config.MAX_PATHS_PER_REQUEST,
    maxResultWindow: config.MAX_RESULT_WINDOW,
    maxSearchCostMs: config.MAX_SEARCH_COST,
    maxQuestionChars: config.MAX_QUESTION_CHARS,
    answerDeadlineMs: config.AI_TIMEOUT_MS + ANSWER_SPARE_MS,
    streamHeaderPrefixes: config.STREAM_HEADER_PREFIXES,
    htmlHookPrefixes: config.HTML_HOOK_PREFIX,
  };
}
