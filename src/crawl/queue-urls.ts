import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import { DEFAULT_URL_RULES, isAbsoluteUrl, normalizeUrl, type UrlRules } from '../core/url.ts';
import type { Wake } from '../core/wake.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';

/** One row per element in order of the request. `url` as sent; what is no text is shown as its JSON text. */
export type QueuedUrl = { readonly url: string; readonly status: 'Ok' | 'Invalid' };

/** Contract: 1.9. */
const MAX_QUEUED_CHARS = 4_096;

/**
 * Puts URLs on the frontier, ahead of scheduled work; durable when it resolves. An inactive crawler acknowledges
 * them, logs `inactive` and discards them. Scope, robots and private addresses are judged at the visit. Contract: 9.
 */
export async function queueUrls(
  deps: { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock; readonly wake: Wake },
  crawler: Crawler,
  sent: readonly unknown[],
): Promise<readonly QueuedUrl[]> {
  const rules = urlRulesOf(crawler);
  const forms = sent.map((item) => normalFormOf(item, rules));
  const urls = [...new Set(forms.filter((url) => url !== undefined))];
  if (urls.length > 0) {
    const store = await deps.engineStores.of(crawler.engineId);
    const now = deps.clock.now();
    if (crawler.active) {
      const { id: crawlerId, activation, configVersion, engineId } = crawler;
      await store.queueUrls({ crawlerId, activation, configVersion, urls, now });
      deps.wake({ kind: 'queued-urls', engineId, crawlerId });
    } else {
      await store.logDiscarded(crawler.id, urls, 'inactive', now);
    }
  }
  return sent.map((item, position) => ({
    url: textOf(item),
    status: forms[position] === undefined ? 'Invalid' : 'Ok',
  }));
}

/** Settings that are not valid any more still have a way to write URLs: the stock one. */
function urlRulesOf(crawler: Crawler): UrlRules {
  try {
    return compileCrawlRules(crawler).urlRules;
  } catch (error) {
    if (error instanceof AppError && error.code === 'request.invalid') return DEFAULT_URL_RULES;
    throw error;
  }
}

function normalFormOf(item: unknown, rules: UrlRules): string | undefined {
  if (typeof item !== 'string' || item.length > MAX_QUEUED_CHARS) return undefined;
  const url = item.trim();
  return isAbsoluteUrl(url) ? normalizeUrl(url, rules) : undefined;
}

function textOf(item: unknown): string {
  return typeof item === 'string' ? item : (JSON.stringify(item) ?? '');
}
