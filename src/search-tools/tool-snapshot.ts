import type { Clock } from '../core/clock.ts';
import { matchesWildcard } from '../core/compare-text.ts';
import type { SynonymGroup, SynonymStore } from '../storage/system/synonym-groups.ts';
import type { Banner, HiddenPage, Quicklink, Ranking, ToolStore } from '../storage/system/tools.ts';

/** A customer's search tools, ready to be asked. */
export type CustomerTools = {
  readonly findBanners: FindByTerm<Banner>;
  /** Banners that are called up by an audience alone, by ascending id. */
  readonly bannersWithoutTerms: readonly Banner[];
  readonly findRankings: FindByTerm<Ranking>;
  readonly findQuicklinks: FindByTerm<Quicklink>;
  readonly synonymGroups: readonly SynonymGroup[];
  /** Ids of the documents that an engine shows to nobody, whatever the query. */
  readonly hiddenOf: (engineId: number) => readonly string[];
};

/** What no visitor is shown, for those who need nothing else. */
export type HiddenPages = { of(customerId: number): Promise<Pick<CustomerTools, 'hiddenOf'>> };

/** All records that a customer's tools are made of. */
export type ToolRecordLists = {
  readonly banners: readonly Banner[];
  readonly rankings: readonly Ranking[];
  readonly quicklinks: readonly Quicklink[];
  readonly hiddenPages: readonly HiddenPage[];
  readonly synonymGroups: readonly SynonymGroup[];
};

/** Search tools from memory: a search asks the store for none. */
export type ToolSnapshot = { of(customerId: number): Promise<CustomerTools> };

type SnapshotStore = Pick<ToolStore, 'listTools'> &
  Pick<SynonymStore, 'listSynonymGroups'> & {
    /** Differs from an earlier one whenever something was committed since. */
    changeToken(): number;
  };

/** A change shows in searches within 1 s (contract 10.1). */
const RECHECK_MS = 250;
/** Customers whose tools are held; the one read longest ago goes first. */
const MAX_CUSTOMERS = 1_000;

/** Holds the tools of the customers that search until the store's change token changes: at most 250 ms behind. */
export function createToolSnapshot({
  store,
  clock,
}: {
  readonly store: SnapshotStore;
  readonly clock: Clock;
}): ToolSnapshot {
  const held = new Map<number, Promise<CustomerTools>>();
  let token: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  const recheck = (): void => {
    const now = clock.now();
    // A clock set back must not freeze the snapshot.
    if (now >= askedAt && now - askedAt < RECHECK_MS) return;
    askedAt = now;
    const present = store.changeToken();
    if (present !== token) held.clear();
    token = present;
  };

  const take = (customerId: number): Promise<CustomerTools> => {
    const oldest = held.size < MAX_CUSTOMERS ? undefined : held.keys().next().value;
    if (oldest !== undefined) held.delete(oldest);
    const taken = readTools(store, customerId);
    held.set(customerId, taken);
    taken.catch(() => {
      if (held.get(customerId) === taken) held.delete(customerId);
    });
    return taken;
  };

  return {
    of(customerId) {
      recheck();
      return held.get(customerId) ?? take(customerId);
    },
  };
}

async function readTools(store: SnapshotStore, customerId: number): Promise<CustomerTools> {
  return customerTools(await listToolRecords(store, customerId));
}

/** Every tool of a customer, as it is stored. */
export async function listToolRecords(
  store: Pick<SnapshotStore, 'listTools' | 'listSynonymGroups'>,
  customerId: number,
): Promise<ToolRecordLists> {
  const [banners, rankings, quicklinks, hiddenPages, synonymGroups] = await Promise.all([
    store.listTools('banner', { customerId }),
    store.listTools('ranking', { customerId }),
    store.listTools('quicklink', { customerId }),
    store.listTools('hidden-page', { customerId }),
    store.listSynonymGroups(customerId),
  ]);
  return { banners, rankings, quicklinks, hiddenPages, synonymGroups };
}

/** Tools made of records, stored ones or not. */
export function customerTools(records: ToolRecordLists): CustomerTools {
  const { banners, rankings, quicklinks, hiddenPages, synonymGroups } = records;
  const pagesByEngine = Map.groupBy(hiddenPages, ({ engineId }) => engineId);
  const hidden = new Map([...pagesByEngine].map(([id, pages]) => [id, pages.map(({ documentId }) => documentId)]));
  return {
    findBanners: indexTerms(banners),
    bannersWithoutTerms: banners.filter(({ terms }) => terms.length === 0),
    findRankings: indexTerms(rankings),
    findQuicklinks: indexTerms(quicklinks),
    synonymGroups,
    hiddenOf: (engineId) => hidden.get(engineId) ?? NONE,
  };
}

const NONE: readonly string[] = [];

/**
 * Makes a test for the terms that a query calls up: the whole query, trimmed, inner blanks folded to one, without
 * regard to case, equals the term; in a term `*` stands for any text, `?` for one character. Contract: 2.10.
 */
export function termMatcher(query: string): (term: string) => boolean {
  const folded = foldTerm(query);
  const chars = [...folded];
  return (term) => {
    const pattern = foldTerm(term);
    return WILDCARD.test(pattern) ? matchesWildcard([...pattern], chars) : pattern === folded;
  };
}

type Termed = { readonly id: number; readonly terms: readonly { readonly name: string }[] };

/** Finds the records that a query calls up, by ascending id. */
type FindByTerm<T extends Termed> = (query: string) => readonly T[];

/** Folds all terms once: a look-up costs the terms with wildcards, whatever the number of the others. */
export function indexTerms<T extends Termed>(records: readonly T[]): FindByTerm<T> {
  const plain = new Map<string, Set<T>>();
  const patterns: { readonly pattern: readonly string[]; readonly record: T }[] = [];
  for (const record of records) {
    for (const { name } of record.terms) {
      const folded = foldTerm(name);
      if (WILDCARD.test(folded)) patterns.push({ pattern: [...folded], record });
      else plain.set(folded, (plain.get(folded) ?? new Set()).add(record));
    }
  }
  return (query) => {
    const folded = foldTerm(query);
    const chars = [...folded];
    const fitting = patterns.filter(({ pattern }) => matchesWildcard(pattern, chars)).map(({ record }) => record);
    return [...new Set([...(plain.get(folded) ?? []), ...fitting])].sort((a, b) => a.id - b.id);
  };
}

const WILDCARD = /[*?]/;

/** A query or term as it is compared. */
export function foldTerm(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Documents with a place of their own, in order of precedence, and those that are taken out. */
export type Placement = {
  readonly pins: readonly { readonly id: string; readonly rank: number }[];
  readonly removed: readonly string[];
};

/**
 * What the rankings of a query say about its results, lower ranking ids first, and what is hidden whatever the query.
 * Contract: 2.10.
 */
export function placementOf(tools: CustomerTools, toolQuery: ToolQuery): Placement {
  const pages = shownRankings(tools, toolQuery).flatMap(({ pins }) => pins);
  const hidden = tools.hiddenOf(toolQuery.engineId);
  return {
    pins: pages.filter(({ shown }) => shown).map(({ rank, page }) => ({ id: page.documentId, rank })),
    removed: [...hidden, ...pages.filter(({ shown }) => !shown).map(({ page }) => page.documentId)],
  };
}

/** The rankings of an engine that a query of a visitor calls up, by ascending id. Contract: 2.10. */
export function shownRankings({ findRankings }: CustomerTools, { engineId, query, traits }: ToolQuery) {
  return findRankings(query).filter(
    (ranking) => ranking.engineId === engineId && fitsAudience(ranking.audiences, traits),
  );
}

export type ToolQuery = {
  readonly engineId: number;
  /** As sent. */
  readonly query: string;
  readonly traits: readonly string[];
};

/** The banners that a search shows, by ascending id. Contract: 2.10. */
export function shownBanners(
  { findBanners, bannersWithoutTerms }: CustomerTools,
  { engineId, query, traits }: ToolQuery,
  now: number,
): readonly Banner[] {
  const targeted = bannersWithoutTerms.filter(({ audiences }) => isTargeted(audiences));
  return [...findBanners(query), ...targeted]
    .filter((banner) => banner.engineId === engineId || banner.engineIds.includes(engineId))
    .filter((banner) => isActive(banner, now) && fitsAudience(banner.audiences, traits))
    .sort((a, b) => a.id - b.id);
}

/** Whether a banner is shown at this time to whom it is for. */
export function isActive({ disabled, from, to }: Banner, now: number): boolean {
  return !disabled && (from === undefined || now >= Date.parse(from)) && (to === undefined || now <= Date.parse(to));
}

type Wanted = { readonly customerId: number; readonly engineId: number; readonly query: string };

/** The engine's quicklinks that a query calls up, by ascending id. Contract: 2.10, 10.2. */
export async function findQuicklinks(
  { systemStore }: { readonly systemStore: Pick<ToolStore, 'listTools'> },
  { query, ...engine }: Wanted,
): Promise<readonly Quicklink[]> {
  const matches = termMatcher(query);
  const quicklinks = await systemStore.listTools('quicklink', engine);
  return quicklinks.filter(({ terms }) => terms.some(({ name }) => matches(name)));
}

/** A quicklink with the first of its terms that the query is. */
export type ShownQuicklink = { readonly id: number; readonly url: string; readonly term: string };

/** The quicklinks of an engine that a search shows, by ascending id. Contract: 2.6, 2.10. */
export function shownQuicklinks(
  { findQuicklinks: find }: CustomerTools,
  { engineId, query }: ToolQuery,
): readonly ShownQuicklink[] {
  const matches = termMatcher(query);
  return find(query)
    .filter((quicklink) => quicklink.engineId === engineId)
    .map(({ id, url, terms }) => ({ id, url, term: terms.find(({ name }) => matches(name))?.name ?? '' }));
}

/**
 * Whether a tool is for a visitor with these traits: everybody without audiences, else one entry equals a trait in any
 * case. Entries that are no text, number or truth value equal none. Contract: 2.10.
 */
function fitsAudience(audiences: readonly unknown[] | undefined, traits: readonly string[]): boolean {
  if (!isTargeted(audiences)) return true;
  const own = new Set(traits.map((trait) => trait.toLowerCase()));
  return audiences.some((entry) => SCALARS.has(typeof entry) && own.has(String(entry).toLowerCase()));
}

/** Whether a tool is for some visitors only. */
function isTargeted(audiences: readonly unknown[] | undefined): audiences is readonly unknown[] {
  return audiences !== undefined && audiences.length > 0;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
