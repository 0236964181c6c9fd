import type { Reason } from '../../core/crawl-words.ts';
import { AppError } from '../../core/errors.ts';
import type { Crawler } from '../../core/records.ts';
import { hostOf, normalizeUrl } from '../../core/url.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import { type CrawlRules, compileCrawlRules } from '../rules/crawl-rules.ts';

/** A crawler whose rules leave the URL out. */
export type LeftOutBy = {
  readonly crawler: Crawler;
  readonly reason: Reason;
  /** The rule as it is written; `''` = none of its own. */
  readonly rule: string;
};

export type UrlOwner = {
  /** The crawler that knows the URL or has a document of it, else the first that would visit it. */
  readonly crawler: Crawler | undefined;
  /** The other crawlers that would not visit it, the nearest first. */
  readonly others: readonly LeftOutBy[];
};

/** Which of the crawlers a URL is a matter of. Crawlers whose settings cannot be read are left out. */
export async function findUrlOwner(
  { engineStores }: { readonly engineStores: Pick<EngineStores, 'of'> },
  crawlers: readonly Crawler[],
  text: string,
): Promise<UrlOwner> {
  const judged = crawlers.flatMap((crawler) => judge(crawler, text) ?? []);
  const nearest = judged.flatMap(({ leftOut }) => leftOut ?? []).sort((a, b) => nearness(b, text) - nearness(a, text));
  for (const { crawler, url } of judged) {
    const store = await engineStores.of(crawler.engineId);
    const isKnown =
      (await store.findUrl(crawler.id, url)) !== undefined || (await store.findDocument(crawler.id, url)) !== undefined;
    if (isKnown) return { crawler, others: nearest.filter((other) => other.crawler.id !== crawler.id) };
  }
  return { crawler: judged.find(({ leftOut }) => leftOut === undefined)?.crawler, others: nearest };
}

type Judged = { readonly crawler: Crawler; readonly url: string; readonly leftOut: LeftOutBy | undefined };

function judge(crawler: Crawler, text: string): Judged | undefined {
  const rules = readableRules(crawler);
  const url = rules && normalizeUrl(text, rules.urlRules);
  if (rules === undefined || url === undefined) return undefined;
  const verdict = rules.scope({ url, depth: 0, queued: false, knownUrls: 0 });
  return { crawler, url, leftOut: verdict.in ? undefined : { crawler, reason: verdict.reason, rule: verdict.rule } };
}

function readableRules(crawler: Crawler): CrawlRules | undefined {
  try {
    return compileCrawlRules(crawler);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** More than a host name has. */
const MOST_LABELS = 128;

/** Who visits the host and leaves the page out is nearer than who visits another host of its name. */
function nearness({ crawler, reason }: LeftOutBy, url: string): number {
  if (reason !== 'out-of-domain') return MOST_LABELS;
  const { seeds = [] } = crawler.config as { readonly seeds?: readonly string[] };
  return Math.max(0, ...seeds.map((seed) => commonLabels(hostOf(seed), hostOf(url))));
}

/** `docs.example.com` and `www.example.com` have two. */
function commonLabels(a: string, b: string): number {
  const [labelsA, labelsB] = [a.split('.').reverse(), b.split('.').reverse()];
  const different = labelsA.findIndex((label, position) => label !== labelsB[position]);
  return different < 0 ? labelsA.length : different;
}
