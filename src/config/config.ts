import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { hostAndPortOf } from '../core/url.ts';
import { halfOfMemoryMb } from './half-of-memory.ts';
import {
  attributePrefixes,
  decimal,
  flag,
  headerPrefixes,
  headers,
  hosts,
  oneOf,
  origins,
  proxies,
  text,
  url,
  type VariableMeta,
  whole,
} from './values.ts';

const HIGHEST_COUNT = 1_000_000;
const HIGHEST_BYTES = 1_073_741_824;
/** A shorter secret can be guessed. */
const MIN_SECRET_CHARS = 16;
const SECRET = { secret: true } as const;

/** Areas of the documentation, in its order; a variable names its area. */
export const AREAS = [
  'General',
  'Secrets',
  'Stores',
  'CORS and access',
  'Limits',
  'Rates',
  'Search',
  'Answers',
  'Crawl',
  'Keeping',
] as const;

/** Every variable of the environment and of `settings` in the provision file. What differs per engine is data. */
export const CONFIG = z
  .strictObject({
    DATA_DIR: about(text().default('./data'), 'General', 'Folder of all stored data, made with mode 700'),
    CONFIG_FILE: about(text().optional(), 'General', 'Provision file', {
      shownDefault: '`fossick.config.ts`, `.yaml` or `.json` in the working folder, when present',
    }),
    HOST: about(text().default('127.0.0.1'), 'General', 'Address that the api listens on; `0.0.0.0` for all'),
    PORT: about(whole(0, 65_535).default(8080), 'General', 'Port of the api; 0 takes a free one'),
    HEALTH_PORT: about(
      whole(0, 65_535).default(0),
      'General',
      'Health and metrics of a role that runs alone; 0 is off',
    ),
    PUBLIC_URL: about(url(['http', 'https']).optional(), 'General', 'Address under which visitors reach the api', {
      shownDefault: 'address of the listener',
    }),
    REGION: about(
      oneOf(['any', 'eu', 'us']).default('any'),
      'General',
      'Customers that this installation answers for: `eu` ids below 10,000,000, `us` ids from there on',
    ),
    LOG_LEVEL: about(
      oneOf(['error', 'warn', 'info', 'debug', 'silent']).default('info'),
      'General',
      'Least urgent level that is logged',
    ),
    SETUP: about(
      oneOf(['on', 'off']).default('on'),
      'General',
      '`off` skips what `npm start` brings to a fresh machine',
    ),

    OPERATOR_TOKEN: about(text(MIN_SECRET_CHARS).optional(), 'Secrets', 'Token of the admin API', {
      ...SECRET,
      shownDefault: 'made at first start, in `DATA_DIR/operator-token`',
    }),
    QUERY_ID_SECRET: about(text(MIN_SECRET_CHARS).optional(), 'Secrets', 'Key that signs query ids', {
      ...SECRET,
      shownDefault: 'made at first start, in `system.db`',
    }),
    SECRETS_KEY: about(
      text(MIN_SECRET_CHARS).optional(),
      'Secrets',
      'Key that seals the passwords, headers and cookies of crawlers in the store; every role needs the same one',
      { ...SECRET, shownDefault: 'made at first start, in `DATA_DIR/secrets-key`' },
    ),

    REDIS_URL: about(url(['redis', 'rediss', 'unix']).optional(), 'Stores', 'Redis that schedules crawling', {
      ...SECRET,
      shownDefault: 'a private Redis is started',
    }),

    CORS_ALLOWED_ORIGINS: about(
      origins().default(['*']),
      'CORS and access',
      'Origins whose pages may call the public API; an engine can narrow them',
    ),
    CORS_MANAGEMENT: about(flag().default(false), 'CORS and access', 'CORS headers on management endpoints as well'),
    PUBLIC_SETTINGS_ALLOW_BASIC: about(
      flag().default(false),
      'CORS and access',
      'Public settings also for scheme Basic',
    ),
    PUBLIC_SETTINGS_ALLOW_ANONYMOUS: about(
      flag().default(false),
      'CORS and access',
      'Public settings also without credentials',
    ),
    TRUST_PROXY: about(
      proxies().default([]),
      'CORS and access',
      'Proxies whose `X-Forwarded-For` tells the caller of a rate limit: `off`, or addresses and networks',
      { shownDefault: 'off' },
    ),

    MAX_RESULT_WINDOW: about(
      whole(10, HIGHEST_COUNT).default(10_000),
      'Limits',
      'Highest `page` × `perPage` of a search',
    ),
    MAX_QUESTION_CHARS: about(whole(1, 100_000).default(4_000), 'Limits', 'Longest question', { unit: 'characters' }),
    MAX_DOCUMENTS_PER_REQUEST: about(whole(1, 100_000).default(1_000), 'Limits', 'Documents of one request'),
    MAX_DOCUMENTS_BYTES: about(bytes(20_000_000), 'Limits', 'Body of a request with documents', { unit: 'bytes' }),
    MAX_DOCUMENT_BYTES: about(bytes(2_000_000), 'Limits', 'Text of one document', { unit: 'bytes' }),
    MAX_PATHS_PER_REQUEST: about(whole(1, 100_000).default(1_000), 'Limits', 'URLs of one queue request'),
    MAX_BODY_BYTES: about(bytes(1_000_000), 'Limits', 'Any other body', { unit: 'bytes' }),

    ...rate('SEARCH', 'PER_SECOND', [50, 200], 'search, autocomplete and public settings'),
    ...rate('AI', 'PER_MINUTE', [30, 10], 'AI Chat and AI Summary'),
    ...rate('TRACKING', 'PER_SECOND', [100, 200], 'tracking, feedback and clicks'),
    ...rate('MANAGEMENT', 'PER_SECOND', [20, 40], 'index management, crawlers and search tools'),

    SEARCH_THREADS: about(
      whole(0, 64).default(Math.min(availableParallelism(), 8)),
      'Search',
      'Threads that search; 0 searches on the event loop',
      { shownDefault: 'cores, at most 8' },
    ),
    INDEX_REFRESH_MS: about(whole(10, 60_000).default(100), 'Search', 'Pause between two published states', {
      unit: 'ms',
    }),
    INDEX_MEMORY_MB: about(
      whole(16, 16_777_216).default(halfOfMemoryMb()),
      'Search',
      'Memory of the indexes that the api holds; over it the engines used longest ago are closed until they are searched',
      { unit: 'MB', shownDefault: 'half of the memory' },
    ),
    RELATED_MIN_COUNT: about(
      whole(1, HIGHEST_COUNT).default(2),
      'Search',
      'Times a query was sent before other visitors see it as a suggestion or related search',
    ),
    HTML_HOOK_PREFIX: about(
      attributePrefixes().default(['data-search']),
      'Search',
      'Prefixes of the attributes in `JsonHtml` answers: every hook comes once per prefix',
    ),

    AI_FALLBACK: about(
      oneOf(['extractive', 'none']).default('extractive'),
      'Answers',
      'What answers when the model fails: quotes of passages, or nothing (500)',
    ),
    AI_STREAM_FALLBACK: about(
      oneOf(['extractive', 'none']).default('none'),
      'Answers',
      'The same for streams that have not begun: quotes of passages, or nothing (502)',
    ),
    LLM_BASE_URL: about(
      url(['http', 'https']).optional(),
      'Answers',
      'Endpoint of chat completions that writes answers, with `/v1` and its likes',
      { shownDefault: 'none: answers quote the pages' },
    ),
    LLM_API_KEY: about(text().optional(), 'Answers', 'Bearer token of the endpoint', {
      ...SECRET,
      shownDefault: 'none is sent',
    }),
    LLM_HEADERS: about(headers().optional(), 'Answers', 'Further headers of every call, as a JSON object', {
      ...SECRET,
      shownDefault: 'none',
    }),
    LLM_MODEL: about(text().optional(), 'Answers', 'Name of the model; needed with `LLM_BASE_URL`', {
      shownDefault: 'none',
    }),
    LLM_REWRITE_MODEL: about(text().optional(), 'Answers', 'Name of the model that makes follow-ups stand alone', {
      shownDefault: '`LLM_MODEL`',
    }),
    LLM_CONTEXT_TOKENS: about(whole(1_024, 10_000_000).default(8_192), 'Answers', 'Window of the model', {
      unit: 'tokens',
    }),
    LLM_TEMPERATURE: about(decimal(0, 2).default(0.1), 'Answers', 'Temperature of answers'),
    EMBEDDING_BASE_URL: about(
      url(['http', 'https']).optional(),
      'Answers',
      'Endpoint of embeddings that finds passages which say it in other words, with `/v1` and its likes',
      { shownDefault: 'none: passages are found by their words' },
    ),
    EMBEDDING_API_KEY: about(text().optional(), 'Answers', 'Bearer token of that endpoint', {
      ...SECRET,
      shownDefault: 'none is sent',
    }),
    EMBEDDING_MODEL: about(text().optional(), 'Answers', 'Name of its model; needed with `EMBEDDING_BASE_URL`', {
      shownDefault: 'none',
    }),
    AI_VECTOR_WEIGHT: about(
      decimal(0, 1).default(0.5),
      'Answers',
      'Share of the vectors in the order of passages; their words have the rest',
    ),
    AI_CROSS_LANGUAGE_COSINE: about(
      decimal(0, 1).default(0.75),
      'Answers',
      'Least likeness of what a model says in another language than the page to what it quotes, by vectors; 0 is off',
    ),
    LLM_ALLOWED_HOSTS: about(
      hosts().optional(),
      'Answers',
      'Exact hosts with ports that calls of models may go to; redirects are refused, no proxy is used',
      { shownDefault: 'hosts of `LLM_BASE_URL` and `EMBEDDING_BASE_URL`' },
    ),
    LLM_CA_FILE: about(text().optional(), 'Answers', 'Certificate authority (PEM) beside those of Node', {
      shownDefault: 'none',
    }),
    LLM_CONCURRENCY: about(whole(1, 1_000).default(8), 'Answers', 'Calls of models at once, per api process'),
    LLM_QUEUE: about(whole(0, 10_000).default(32), 'Answers', 'Calls that wait for their turn, 3 s at most'),
    LLM_DAILY_TOKENS: about(
      whole(0, 1_000_000_000_000).default(0),
      'Answers',
      'Tokens that an engine may spend per day (UTC) and api process; then answers quote the pages; 0 is no limit',
      { unit: 'tokens' },
    ),
    LLM_PRICE_INPUT_PER_MTOK: price('read'),
    LLM_PRICE_OUTPUT_PER_MTOK: price('written'),
    AI_START_TIMEOUT_MS: about(
      whole(100, 600_000).default(15_000),
      'Answers',
      'Wait for the first text of a model, attempts included',
      { unit: 'ms' },
    ),
    AI_STALL_TIMEOUT_MS: about(whole(100, 600_000).default(10_000), 'Answers', 'Longest pause between two texts', {
      unit: 'ms',
    }),
    AI_TIMEOUT_MS: about(whole(100, 600_000).default(60_000), 'Answers', 'Longest answer of a model', { unit: 'ms' }),
    AI_REWRITE_TIMEOUT_MS: about(
      whole(50, 60_000).default(800),
      'Answers',
      'Wait for a model that makes a follow-up stand alone; then rules do',
      { unit: 'ms' },
    ),
    AI_DATAMARKING: about(
      flag().default(false),
      'Answers',
      'Marks between the words of sources in prompts: against orders in pages, at the cost of tokens',
    ),
    AI_CACHE_MAX_BYTES: about(
      whole(0, 2 ** 32).default(32 * 2 ** 20),
      'Answers',
      'Room for answers that are given again while the pages they cite still say it; 0 is off',
      { unit: 'bytes' },
    ),
    AI_CACHE_TTL_SECONDS: about(
      whole(0, 31_536_000).default(86_400),
      'Answers',
      'Longest life of a kept answer; 0 is off',
      {
        unit: 'seconds',
      },
    ),
    STREAM_HEADER_PREFIXES: about(
      headerPrefixes().default(['Service']),
      'Answers',
      'Prefixes of the headers `<prefix>-Conversation-Id` and its likes',
    ),
    CONVERSATION_TTL_HOURS: about(
      whole(1, 8_760).default(24),
      'Answers',
      'Life of a conversation after its last answer; then answers without feedback are cleared',
      { unit: 'hours' },
    ),
    AI_REDACT_STORED_TEXT: about(
      flag().default(true),
      'Answers',
      'Replaces e-mail addresses and long numbers (phones, cards, ids) in stored questions and answers',
    ),
    LOG_TEXT: about(flag().default(false), 'Answers', 'Whether log lines hold the texts of questions and answers'),

    CRAWL_PROCESSES: about(whole(0, 64).default(1), 'Crawl', 'Crawl processes that `npm start` runs'),
    CRAWL_CONCURRENCY: about(whole(1, 1_000).default(16), 'Crawl', 'Visits at once in a crawl process'),
    CRAWL_HOST_DELAY_MS: about(
      whole(0, 3_600_000).default(500),
      'Crawl',
      'Pause between two visits of a host: default of the crawlers’ `politeness.delayMs`',
      { unit: 'ms' },
    ),
    CRAWL_CONTACT_URL: about(url(['http', 'https']).optional(), 'Crawl', 'Address that the user agent names', {
      shownDefault: 'none',
    }),
    CRAWL_ALLOW_PRIVATE_NETWORKS: about(
      flag().default(false),
      'Crawl',
      'Whether crawlers may visit private and loopback addresses',
    ),
    RENDER_CONCURRENCY: about(whole(1, 64).default(2), 'Crawl', 'Pages in browsers at once, over all crawl processes'),
    CHROMIUM_PATH: about(text().optional(), 'Crawl', 'Browser that renders pages made by scripts', {
      shownDefault: 'the Chromium or Chrome of the system, or Playwright’s own',
    }),
    CHROMIUM_SANDBOX: about(
      flag().default(true),
      'Crawl',
      'Chromium’s own isolation of pages; it cannot run as root, nor where user namespaces are forbidden (most containers)',
    ),
    PARSER_PROCESSES: about(whole(1, 64).default(2), 'Crawl', 'Processes that parse files'),
    PARSER_TIMEOUT_MS: about(whole(100, 600_000).default(20_000), 'Crawl', 'Longest parse of a file', { unit: 'ms' }),
    PARSER_MEMORY_MB: about(whole(64, 65_536).default(512), 'Crawl', 'Memory of a parser process', { unit: 'MiB' }),
    CONTENT_MODEL_PATH: about(text().optional(), 'Crawl', 'Weights that choose the main text of pages', {
      shownDefault: 'built in',
    }),

    TRACKING_RETENTION_DAYS: about(
      whole(1, 3_650).default(400),
      'Keeping',
      'Age at which queries, clicks and feedback are dropped, with their statistics',
      { unit: 'days' },
    ),
    TRACKING_ANONYMIZE_IP: about(flag().default(false), 'Keeping', 'Zeroes the last part of stored addresses'),
  })
  .superRefine((config, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    for (const kind of ['LLM', 'EMBEDDING'] as const) {
      const [baseUrl, model] = [config[`${kind}_BASE_URL`], config[`${kind}_MODEL`]];
      if (baseUrl === undefined) continue;
      const host = hostAndPortOf(new URL(baseUrl));
      if (model === undefined) fault(`${kind}_MODEL`, `must be set with ${kind}_BASE_URL`);
      if (config.LLM_ALLOWED_HOSTS?.includes(host) === false) {
        fault('LLM_ALLOWED_HOSTS', `must hold ${host}, the host of ${kind}_BASE_URL`);
      }
    }
  });

export type Config = Readonly<z.infer<typeof CONFIG>>;
export type VariableName = keyof Config;
export const VARIABLE_NAMES = Object.keys(CONFIG.shape) as readonly VariableName[];

export function metaOf(name: VariableName): VariableMeta {
  return CONFIG.shape[name].meta() as VariableMeta;
}

/** The values of all variables; of a secret only whether it is `set`. */
export function shownConfig(config: Config): Readonly<Record<VariableName, unknown>> {
  const shown = VARIABLE_NAMES.map((name) => [
    name,
    metaOf(name).secret === true && config[name] !== undefined ? 'set' : (config[name] ?? null),
  ]);
  return Object.fromEntries(shown) as Readonly<Record<VariableName, unknown>>;
}

function about<Schema extends z.ZodType>(
  schema: Schema,
  area: (typeof AREAS)[number],
  description: string,
  more: Omit<VariableMeta, 'area' | 'description'> = {},
): Schema {
  return schema.meta({ area, description, ...more });
}

function bytes(byDefault: number) {
  return whole(1, HIGHEST_BYTES).default(byDefault);
}

type RateUnit = 'PER_SECOND' | 'PER_MINUTE';
type Count = ReturnType<typeof count>;

function rate<Name extends string, Unit extends RateUnit>(
  name: Name,
  unit: Unit,
  [perUnit, burst]: readonly [number, number],
  what: string,
): { readonly [Key in `RATE_${Name}_${Unit}` | `RATE_${Name}_BURST`]: Count } {
  const shownUnit = unit.toLowerCase().replace('_', ' ');
  const variables = {
    [`RATE_${name}_${unit}`]: about(count(perUnit), 'Rates', `Requests of one caller: ${what}; 0 is off`, {
      unit: shownUnit,
    }),
    [`RATE_${name}_BURST`]: about(count(burst), 'Rates', `Requests at once of one caller: ${what}`),
  };
  return variables as { readonly [Key in `RATE_${Name}_${Unit}` | `RATE_${Name}_BURST`]: Count };
}

function count(byDefault: number) {
  return whole(0, HIGHEST_COUNT).default(byDefault);
}

function price(what: string) {
  const description = `Price of a million tokens that models ${what}, in any currency, for costs in \`fossick stats answers\``;
  return about(decimal(0, HIGHEST_COUNT).default(0), 'Answers', description);
}
