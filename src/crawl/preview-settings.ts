import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import { normalizeUrl } from '../core/url.ts';
import type { UrlRow } from '../storage/engine/url-browser.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { streamUrls } from './browse-urls.ts';
import { type CrawlRules, compileCrawlRules } from './rules/crawl-rules.ts';
import { isOperatorReason } from './visit/decision.ts';

export type PreviewDeps = { readonly engineStores: Pick<EngineStores, 'of'> };

type Config = Crawler['config'];

/** What full runs would do to what is known, were the settings saved. Nothing is fetched. */
export type SettingsPreview = {
  /** Documents that would leave, by the rule that says so. */
  readonly leave: { readonly documents: number; readonly byRule: readonly RuleCount[] };
  /** Known URLs without a document that would be visited. */
  readonly enter: { readonly urls: number; readonly samples: readonly string[] };
  /** URLs that several known ones, or one of another form, would become. */
  readonly merge: {
    readonly groups: number;
    readonly samples: readonly { readonly url: string; readonly from: readonly string[] }[];
  };
  /** Documents whose page would be read anew, because what is read from it has changed. */
  readonly revisit: number;
  /** Saves these settings, as long as the crawler has not changed. */
  readonly token: string;
};

export type RuleCount = { readonly rule: string; readonly count: number; readonly samples: readonly string[] };

export type Confirmation = { readonly token: string | undefined; readonly allowDelete: boolean };

const SAMPLES = 5;
/** Records between two turns of other work: each costs about 30 µs. */
const RECORDS_PER_YIELD = 200;
/** Groups that are told apart; more are not looked for. */
const MAX_GROUPS = 100_000;

/** Applies `config` to every known URL of the crawler. O(known URLs). */
export async function previewSettings(
  deps: PreviewDeps,
  input: { readonly crawler: Crawler; readonly config: Config },
  signal: AbortSignal,
): Promise<SettingsPreview> {
  const { crawler, config } = input;
  const before = compileCrawlRules(crawler);
  const after = compileCrawlRules({ ...crawler, config });
  const count = openCount(before, after);
  const browse = { engineId: crawler.engineId, crawlerId: crawler.id, filter: {} };
  let looked = 0;
  for await (const rows of streamUrls(deps, browse, signal)) {
    for (const row of rows) {
      count.add(row);
      if (++looked % RECORDS_PER_YIELD === 0) await yieldToEventLoop();
    }
  }
  return { ...count.result(), token: tokenOf(crawler, config) };
}

/**
 * Lets settings pass that remove no document, or whose preview was seen, or that are confirmed in so many words.
 * @throws AppError `record.conflict` that says how many documents would leave
 */
export async function confirmSettings(
  deps: PreviewDeps,
  input: { readonly crawler: Crawler; readonly config: Config },
  { token, allowDelete }: Confirmation,
): Promise<void> {
  const { crawler, config } = input;
  if (allowDelete || token === tokenOf(crawler, config) || !mayRemove(crawler.config, config)) return;
  const preview = await previewSettings(deps, input, new AbortController().signal);
  const { leave, merge } = preview;
  if (leave.documents === 0 && merge.groups === 0) return;
  const what = `${leave.documents} documents would leave and ${merge.groups} URLs would change their form`;
  throw new AppError('record.conflict', `${what}: look at the preview and save with its token, or allow it`);
}

/** Members that decide which documents there are. */
const DECIDING = [
  ...['seeds', 'domains', 'include', 'exclude', 'noIndex', 'fileTypes'],
  ...['queryParams', 'stripTracking', 'stripSession', 'urlForm'],
];

function mayRemove(before: Config, after: Config): boolean {
  return DECIDING.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

function tokenOf({ id, configVersion }: Crawler, config: Config): string {
  const text = JSON.stringify([id, configVersion, Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

type Counted = { count: number; readonly samples: string[] };

function openCount(before: CrawlRules, after: CrawlRules) {
  const leaving = new Map<string, Counted>();
  const entering: Counted = { count: 0, samples: [] };
  const forms = new Map<string, string[]>();
  let revisit = 0;
  const isReadAnew = before.extractVersion !== after.extractVersion;
  const addDocument = (row: UrlRow) => {
    const rule = leavingRule(row, after);
    const form = normalizeUrl(row.url, after.urlRules);
    if (rule !== undefined) note(leaving, rule, row.url);
    else if (form !== undefined && form !== row.url) noteForm(forms, form, row.url);
    else if (isReadAnew) revisit++;
  };
  const add = (row: UrlRow) => {
    if (row.kind === 'sitemap' || row.kind === 'feed') return;
    if (row.state === 'live' || row.state === 'suspected') addDocument(row);
    else if (!isIn(row, before) && isIn(row, after)) addSample(entering, row.url);
  };
  return {
    add,
    result: () => ({
      leave: { documents: sum(leaving), byRule: [...leaving].map(([rule, counted]) => ({ rule, ...counted })) },
      enter: { urls: entering.count, samples: entering.samples },
      merge: {
        groups: forms.size,
        samples: [...forms].slice(0, SAMPLES).map(([url, from]) => ({ url, from })),
      },
      revisit,
    }),
  };
}

/** The rule that takes the document of a known URL away at its next visit in a full run. */
function leavingRule({ url, depth }: UrlRow, rules: CrawlRules): string | undefined {
  const verdict = rules.scope({ url, depth, queued: false, knownUrls: 0 });
  if (!verdict.in) return isOperatorReason(verdict.reason) ? `${verdict.reason}: ${verdict.rule}` : undefined;
  const parsed = new URL(url);
  const noIndex = rules.noIndex.find((rule) => rule.matches(parsed));
  return noIndex === undefined ? undefined : `follow-only: ${noIndex.text}`;
}

function isIn({ url, depth }: UrlRow, rules: CrawlRules): boolean {
  return rules.scope({ url, depth, queued: false, knownUrls: 0 }).in;
}

function note(counts: Map<string, Counted>, key: string, url: string): void {
  const counted = counts.get(key) ?? { count: 0, samples: [] };
  counts.set(key, counted);
  addSample(counted, url);
}

function addSample(counted: Counted, url: string): void {
  counted.count++;
  if (counted.samples.length < SAMPLES) counted.samples.push(url);
}

function noteForm(forms: Map<string, string[]>, form: string, url: string): void {
  const from = forms.get(form);
  if (from === undefined && forms.size < MAX_GROUPS) forms.set(form, [url]);
  else if (from !== undefined && from.length < SAMPLES) from.push(url);
}

function sum(counts: ReadonlyMap<string, Counted>): number {
  return [...counts.values()].reduce((total, { count }) => total + count, 0);
}
