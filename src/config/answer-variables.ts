import type { z } from 'zod';
import type { Problem } from '../core/errors.ts';
import { hostAndPortOf } from '../core/url.ts';
import {
  about,
  decimal,
  flag,
  headerPrefixes,
  headers,
  hosts,
  oneOf,
  packageName,
  SECRET,
  text,
  url,
  whole,
} from './values.ts';

const HIGHEST_PRICE = 1_000_000;

/** Variables of answers, summaries and the models behind them. */
export const ANSWER_VARIABLES = {
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
  LLM_PROVIDER_PACKAGE: about(
    packageName().optional(),
    'Answers',
    'Installed AI SDK provider package that calls the model in place of chat completions, at `LLM_BASE_URL` or its own address (docs/operations.md)',
    { shownDefault: 'none' },
  ),
  LLM_API_KEY: about(text().optional(), 'Answers', 'Bearer token of the endpoint, or key of the package', {
    ...SECRET,
    shownDefault: 'none is sent',
  }),
  LLM_HEADERS: about(headers().optional(), 'Answers', 'Further headers of every call, as a JSON object', {
    ...SECRET,
    shownDefault: 'none',
  }),
  LLM_MODEL: about(
    text().optional(),
    'Answers',
    'Name of the model; needed with `LLM_BASE_URL` or `LLM_PROVIDER_PACKAGE`',
    {
      shownDefault: 'none',
    },
  ),
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
  EMBEDDING_PROVIDER_PACKAGE: about(
    packageName().optional(),
    'Answers',
    'The same as `LLM_PROVIDER_PACKAGE`, for embeddings, at `EMBEDDING_BASE_URL` or its own address',
    { shownDefault: 'none' },
  ),
  EMBEDDING_MODEL_FOLDER: about(
    text().optional(),
    'Answers',
    'Folder of a model for embeddings that runs on this machine, made by `fossick model add`, in place of an endpoint (docs/operations.md)',
    { shownDefault: 'none' },
  ),
  EMBEDDING_API_KEY: about(text().optional(), 'Answers', 'Bearer token of that endpoint, or key of that package', {
    ...SECRET,
    shownDefault: 'none is sent',
  }),
  EMBEDDING_MODEL: about(
    text().optional(),
    'Answers',
    'Name of its model; needed with `EMBEDDING_BASE_URL` or `EMBEDDING_PROVIDER_PACKAGE`',
    {
      shownDefault: 'none',
    },
  ),
  AI_VECTOR_WEIGHT: about(
    decimal(0, 1).default(0.5),
    'Answers',
    'Share of the vectors in the order of passages; their words have the rest. `0`: vectors are not asked. English questions are weighed by a trained model, whatever the share',
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
    { shownDefault: 'hosts of `LLM_BASE_URL` and `EMBEDDING_BASE_URL`; needed with a package that has no such URL' },
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
};

const MODEL_KINDS = ['LLM', 'EMBEDDING'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

type AnswerConfig = z.infer<z.ZodObject<typeof ANSWER_VARIABLES>>;

/** Whether models of the kind have an endpoint or a package. */
export function namesProvider(config: AnswerConfig, kind: ModelKind): boolean {
  return config[`${kind}_BASE_URL`] !== undefined || config[`${kind}_PROVIDER_PACKAGE`] !== undefined;
}

/** What the variables of models ask of each other. */
export function modelProblems(config: AnswerConfig): readonly Problem[] {
  if (config.EMBEDDING_MODEL_FOLDER !== undefined) return [...providerProblems(config, 'LLM'), ...rivals(config)];
  return MODEL_KINDS.flatMap((kind) => providerProblems(config, kind));
}

function providerProblems(config: AnswerConfig, kind: ModelKind): readonly Problem[] {
  return namesProvider(config, kind) ? problemsOf(config, kind) : idle(config, kind);
}

/** One model embeds. */
function rivals(config: AnswerConfig): readonly Problem[] {
  const names = ['EMBEDDING_BASE_URL', 'EMBEDDING_PROVIDER_PACKAGE', 'EMBEDDING_MODEL'] as const;
  return names
    .filter((name) => config[name] !== undefined)
    .map((path) => ({ path, message: 'must not be set with EMBEDDING_MODEL_FOLDER, which names the model' }));
}

/** Who names a model expects it to be asked. */
function idle(config: AnswerConfig, kind: ModelKind): readonly Problem[] {
  if (config[`${kind}_MODEL`] === undefined) return [];
  return [{ path: `${kind}_BASE_URL`, message: `must be set with ${kind}_MODEL, or ${kind}_PROVIDER_PACKAGE` }];
}

function problemsOf(config: AnswerConfig, kind: ModelKind): readonly Problem[] {
  const [baseUrl, providerPackage] = [config[`${kind}_BASE_URL`], config[`${kind}_PROVIDER_PACKAGE`]];
  const hosts = config.LLM_ALLOWED_HOSTS;
  const problems: Problem[] = [];
  if (config[`${kind}_MODEL`] === undefined) {
    const reason = baseUrl === undefined ? 'PROVIDER_PACKAGE' : 'BASE_URL';
    problems.push({ path: `${kind}_MODEL`, message: `must be set with ${kind}_${reason}` });
  }
  const host = baseUrl && hostAndPortOf(new URL(baseUrl));
  if (host === undefined && hosts === undefined) {
    const message = `must name the hosts that ${providerPackage} calls, such as api.example.com:443, as ${kind}_BASE_URL is not set`;
    problems.push({ path: 'LLM_ALLOWED_HOSTS', message });
  }
  if (host !== undefined && hosts?.includes(host) === false) {
    problems.push({ path: 'LLM_ALLOWED_HOSTS', message: `must hold ${host}, the host of ${kind}_BASE_URL` });
  }
  return problems;
}

function price(what: string) {
  const description = `Price of a million tokens that models ${what}, in any currency, for costs in \`fossick stats answers\``;
  return about(decimal(0, HIGHEST_PRICE).default(0), 'Answers', description);
}
