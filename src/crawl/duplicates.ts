import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Crawler } from '../core/records.ts';
import type { ContentHashes, ContentUrl, DuplicateStore } from '../storage/engine/duplicates.ts';
import type { Run } from '../storage/engine/runs.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import {
  addHashes,
  causeOfDuplicate,
  compareDuplicates,
  type DuplicateCause,
  MIN_DUPLICATE_CHARS,
  nearDuplicateGroups,
  type OfferedSetting,
  offeredSettings,
  type SettingProposal,
  type SimilarityList,
} from './rules/duplicates.ts';
import type { CrawlSettings } from './rules/settings.ts';

/** Rows of one read, and duplicates of one write. */
const READ_ROWS = 5_000;
const COLLAPSED = 500;
/** What a summary shows. */
const SHOWN_GROUPS = 20;
const SHOWN_URLS = 5;
/** Duplicates whose causes are counted. */
const COUNTED_DUPLICATES = 10_000;

export type DuplicateSummary = {
  /** Records that are duplicates of others, and those that became it at the end of this run. */
  readonly exact: number;
  readonly collapsed: number;
  readonly near: { readonly groups: number; readonly shown: readonly NearDuplicates[] };
  readonly proposals: readonly OfferedSetting[];
};

export type NearDuplicates = {
  readonly kept: string;
  readonly size: number;
  readonly urls: readonly string[];
  readonly cause: string;
  readonly setting: SettingProposal | null;
};

/**
 * Judges all duplicates of a crawler once more at the end of a run: copies that were visited at the same time are
 * collapsed, near ones reported. Repeatable: what a dead process left undone is done by the next call.
 */
export async function resolveDuplicates(
  deps: { readonly store: DuplicateStore; readonly now: number },
  run: Pick<Run, 'id' | 'crawlerId'>,
  { exact, near }: CrawlSettings['duplicates'],
): Promise<DuplicateSummary> {
  const { store } = deps;
  const { groups, similarities } = await readContents(store, run.crawlerId);
  const collapsed = exact === 'collapse' ? await collapse(deps, run, groups) : 0;
  const found = near === 'report' ? nearDuplicateGroups(similarities) : [];
  const shown: NearDuplicates[] = [];
  for (const ids of found.slice(0, SHOWN_GROUPS)) {
    const group = groupOf(ids.length, await store.contentUrls(ids.slice(0, COLLAPSED)));
    if (group !== undefined) shown.push(group);
  }
  const causes = await causesOf(store, run.crawlerId);
  const proposals = offeredSettings(causes);
  return { exact: causes.length, collapsed, near: { groups: found.length, shown }, proposals };
}

type Contents = {
  /** Ids by content, of those that two records have at least. */
  readonly groups: readonly (readonly number[])[];
  /** One page of each content. */
  readonly similarities: SimilarityList;
};

async function readContents(store: DuplicateStore, crawlerId: number): Promise<Contents> {
  const byContent = new Map<string, number[]>();
  const similarities: SimilarityList = { ids: [], high: [], low: [] };
  let rows: readonly ContentHashes[];
  let after = 0;
  do {
    rows = await store.contentAfter({ crawlerId, minChars: MIN_DUPLICATE_CHARS, after, limit: READ_ROWS });
    const fresh = rows.filter(({ id, content }) => {
      const key = content.join();
      const ids = byContent.get(key);
      if (ids === undefined) byContent.set(key, [id]);
      else ids.push(id);
      return ids === undefined;
    });
    addHashes(similarities, fresh);
    after = rows.at(-1)?.id ?? after;
    await yieldToEventLoop();
  } while (rows.length === READ_ROWS);
  return { groups: [...byContent.values()].filter((ids) => ids.length > 1), similarities };
}

async function collapse(
  { store, now }: { readonly store: DuplicateStore; readonly now: number },
  { id: runId, crawlerId }: Pick<Run, 'id' | 'crawlerId'>,
  groups: Contents['groups'],
): Promise<number> {
  let collapsed = 0;
  for (const ids of groups) {
    const [keeper, ...duplicates] = (await store.contentUrls(ids)).toSorted(compareDuplicates);
    for (let from = 0; keeper !== undefined && from < duplicates.length; from += COLLAPSED) {
      const step = duplicates.slice(from, from + COLLAPSED);
      const named = step.map(({ id: urlId, url }) => ({ urlId, url, keeperId: keeper.id }));
      collapsed += await store.collapseDuplicates({ crawlerId, runId, now, duplicates: named });
    }
  }
  return collapsed;
}

function groupOf(size: number, urls: readonly ContentUrl[]): NearDuplicates | undefined {
  const [kept, other, ...more] = urls.toSorted(compareDuplicates);
  if (kept === undefined || other === undefined) return undefined;
  const { cause, setting } = causeOfDuplicate(other.url, kept.url);
  const shown = [other, ...more].slice(0, SHOWN_URLS).map(({ url }) => url);
  return { kept: kept.url, size, urls: shown, cause, setting: setting ?? null };
}

async function causesOf(store: DuplicateStore, crawlerId: number): Promise<readonly DuplicateCause[]> {
  const duplicates = await store.listDuplicates({ crawlerId, after: 0, limit: COUNTED_DUPLICATES });
  return duplicates.map(({ url, duplicateOf }) => causeOfDuplicate(url, duplicateOf));
}

const LOOKED_AT_RUNS = 20;

export type FoundDuplicates = {
  readonly duplicates: readonly { readonly url: string; readonly duplicateOf: string; readonly cause: string }[];
  /** Where the list goes on. */
  readonly next: number | undefined;
  /** What the last run that judged them said of pages that are nearly the same; null before. */
  readonly near: DuplicateSummary['near'] | null;
};

/** Pages with the content of others, and pages that are nearly the same. */
export async function findDuplicates(
  { engineStores }: { readonly engineStores: Pick<EngineStores, 'of'> },
  { id: crawlerId, engineId }: Pick<Crawler, 'id' | 'engineId'>,
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<FoundDuplicates> {
  const store = await engineStores.of(engineId);
  const found = await store.listDuplicates({ crawlerId, after, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const runs = await store.scheduledRuns(crawlerId, LOOKED_AT_RUNS);
  const judged = runs.find(({ state }) => state === 'finished');
  const { duplicates } = JSON.parse(judged?.summary ?? '{}') as {
    readonly duplicates?: Pick<DuplicateSummary, 'near'> | null;
  };
  return {
    duplicates: shown.map(({ url, duplicateOf }) => ({
      url,
      duplicateOf,
      cause: causeOfDuplicate(url, duplicateOf).cause,
    })),
    next: found.length > limit ? shown.at(-1)?.id : undefined,
    near: duplicates?.near ?? null,
  };
}
