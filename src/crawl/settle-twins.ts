import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Run } from '../storage/run-store.ts';
import type { ContentHashes, ContentUrl, TwinStore } from '../storage/twin-store.ts';
import { addHashes, nearGroups, type SimilarityList } from './rules/near-twins.ts';
import type { CrawlSettings } from './rules/settings.ts';
import { causeOfTwin, type OfferedSetting, offeredSettings, type TwinCause } from './rules/twin-cause.ts';
import { compareTwins, MIN_TWIN_CHARS } from './rules/twins.ts';

/** Rows of one read, and twins of one write. */
const READ_ROWS = 5_000;
const COLLAPSED = 500;
/** What a summary shows. */
const SHOWN_GROUPS = 20;
const SHOWN_URLS = 5;
/** Twins whose causes are counted. */
const COUNTED_TWINS = 10_000;

export type TwinSummary = {
  /** Records that are twins of others, and those that became it at the end of this run. */
  readonly exact: number;
  readonly collapsed: number;
  readonly near: { readonly groups: number; readonly shown: readonly NearGroup[] };
  readonly proposals: readonly OfferedSetting[];
};

export type NearGroup = {
  readonly kept: string;
  readonly size: number;
  readonly urls: readonly string[];
  readonly cause: string;
  readonly setting: TwinCause['setting'] | null;
};

/**
 * Judges all twins of a crawler once more at the end of a run: copies that were visited at the same time are
 * collapsed, near ones reported. Repeatable: what a dead process left undone is done by the next call.
 */
export async function settleTwins(
  deps: { readonly store: TwinStore; readonly now: number },
  run: Pick<Run, 'id' | 'crawlerId'>,
  { exact, near }: CrawlSettings['twins'],
): Promise<TwinSummary> {
  const { store } = deps;
  const { groups, similarities } = await readContents(store, run.crawlerId);
  const collapsed = exact === 'collapse' ? await collapse(deps, run, groups) : 0;
  const found = near === 'report' ? nearGroups(similarities) : [];
  const shown: NearGroup[] = [];
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

async function readContents(store: TwinStore, crawlerId: number): Promise<Contents> {
  const byContent = new Map<string, number[]>();
  const similarities: SimilarityList = { ids: [], high: [], low: [] };
  let rows: readonly ContentHashes[];
  let after = 0;
  do {
    rows = await store.contentAfter({ crawlerId, minChars: MIN_TWIN_CHARS, after, limit: READ_ROWS });
    const fresh = rows.filter(({ id, content }) => {
      const key = content.join();
      const ids = byContent.get(key);
      if (ids === undefined) byContent.set(key, [id]);
      else ids.push(id);
      return ids === undefined;
    });
    addHashes(similarities, fresh);
    after = rows.at(-1)?.id ?? after;
    await nextTurn();
  } while (rows.length === READ_ROWS);
  return { groups: [...byContent.values()].filter((ids) => ids.length > 1), similarities };
}

async function collapse(
  { store, now }: { readonly store: TwinStore; readonly now: number },
  { id: runId, crawlerId }: Pick<Run, 'id' | 'crawlerId'>,
  groups: Contents['groups'],
): Promise<number> {
  let collapsed = 0;
  for (const ids of groups) {
    const [keeper, ...twins] = (await store.contentUrls(ids)).toSorted(compareTwins);
    for (let from = 0; keeper !== undefined && from < twins.length; from += COLLAPSED) {
      const step = twins.slice(from, from + COLLAPSED);
      const named = step.map(({ id: urlId, url }) => ({ urlId, url, keeperId: keeper.id }));
      collapsed += await store.collapseTwins({ crawlerId, runId, now, twins: named });
    }
  }
  return collapsed;
}

function groupOf(size: number, urls: readonly ContentUrl[]): NearGroup | undefined {
  const [kept, other, ...more] = urls.toSorted(compareTwins);
  if (kept === undefined || other === undefined) return undefined;
  const { cause, setting } = causeOfTwin(other.url, kept.url);
  const shown = [other, ...more].slice(0, SHOWN_URLS).map(({ url }) => url);
  return { kept: kept.url, size, urls: shown, cause, setting: setting ?? null };
}

async function causesOf(store: TwinStore, crawlerId: number): Promise<readonly TwinCause[]> {
  const twins = await store.listTwins({ crawlerId, after: 0, limit: COUNTED_TWINS });
  return twins.map(({ url, twinOf }) => causeOfTwin(url, twinOf));
}
