import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { mergePatch } from '../../accounts/manage-engines.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import type { ParseCrawlerSettings } from '../../accounts/provision-file.ts';
import { AppError } from '../../core/errors.ts';
import type { Crawler } from '../../core/records.ts';
import { type PreviewDeps, previewSettings } from '../../crawl/preview-settings.ts';
import { type TestUrlDeps, testUrl } from '../../crawl/test-url.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { crawlerOf } from './requests.ts';
import { type URL_DRY_RUN_BODY, urlDryRunBody } from './url-explanation.ts';

export type DryRunRouteDeps = PreviewDeps & {
  readonly store: Pick<AccountStore, 'findCrawler'>;
  readonly parseCrawlerSettings: ParseCrawlerSettings;
  /** Undefined where nothing keeps the pace of hosts. */
  readonly openDryRun: (() => Promise<TestUrlDeps>) | undefined;
};

const DEADLINE_MS = 90_000;
const MAX_URL_CHARS = 8_000;

const CONFIG = z.record(z.string(), z.unknown());
export const PREVIEW = z.strictObject({ config: CONFIG });
const SAMPLES = z.array(z.string());
export const PREVIEW_BODY = z
  .object({
    leave: z
      .object({
        documents: z.int(),
        byRule: z.array(z.object({ rule: z.string(), count: z.int(), samples: SAMPLES })),
      })
      .describe('Documents that would leave.'),
    enter: z
      .object({ urls: z.int(), samples: SAMPLES })
      .describe('Known URLs without a document that would be visited.'),
    merge: z
      .object({ groups: z.int(), samples: z.array(z.object({ url: z.string(), from: SAMPLES })) })
      .describe('URLs that several known ones, or one of another form, would become.'),
    revisit: z.int().describe('Documents whose page would be read anew.'),
    token: z.string().describe('Saves these settings, as long as the crawler has not changed.'),
  })
  .meta({ id: 'SettingsPreview' });
export const TEST_URL = z.strictObject({ url: z.string().min(1).max(MAX_URL_CHARS), config: CONFIG.optional() });

/** What settings would do, before they are saved. */
export function dryRunRoutes(deps: DryRunRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.post('/crawlers/:crawlerId/preview', async (request, reply) => {
      const crawler = await crawlerOf(deps.store, request);
      const { config } = withConfig(deps, crawler, parseStrictly(PREVIEW, request.body).config);
      const preview = await previewSettings(deps, { crawler, config }, requestSignal(reply, DEADLINE_MS));
      return preview satisfies Shown<typeof PREVIEW_BODY>;
    });

    app.post('/crawlers/:crawlerId/test-url', async (request, reply) => {
      const crawler = await crawlerOf(deps.store, request);
      const { url, config } = parseStrictly(TEST_URL, request.body);
      const candidate = withConfig(deps, crawler, config);
      return runDryRun(deps, { crawler: candidate, url }, requestSignal(reply, DEADLINE_MS));
    });
  };
}

/**
 * What a visit of the URL would read now.
 * @throws AppError `feature.disabled` without Redis · `rate.exceeded` when the host had no free slot in time
 */
export async function runDryRun(
  { openDryRun }: Pick<DryRunRouteDeps, 'openDryRun'>,
  input: { readonly crawler: Crawler; readonly url: string },
  signal: AbortSignal,
): Promise<Shown<typeof URL_DRY_RUN_BODY>> {
  if (openDryRun === undefined) throw new AppError('feature.disabled', NO_PACE);
  const dryRun = await testUrl(await openDryRun(), input, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new AppError('rate.exceeded', TOO_LONG, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  });
  return urlDryRunBody(dryRun);
}

const RETRY_AFTER_SECONDS = 60;
const TOO_LONG = `The host had no free slot, or gave no answer, within ${DEADLINE_MS / 1_000} s: see its holds, try again later`;
const NO_PACE = 'A URL is tested at the pace that Redis keeps for its host: set REDIS_URL, or use npm start';

/** The crawler with the settings that were sent over its own (RFC 7396). @throws AppError `request.invalid` */
function withConfig(
  { parseCrawlerSettings }: DryRunRouteDeps,
  crawler: Crawler,
  sent: Readonly<Record<string, unknown>> | undefined,
): Crawler {
  if (sent === undefined) return crawler;
  return { ...crawler, config: parseCrawlerSettings(mergePatch(crawler.config, sent), [], crawler.config) };
}
