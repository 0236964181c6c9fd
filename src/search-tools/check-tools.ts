import type { Clock } from '../core/clock.ts';
import type { Crawler, Engine } from '../core/records.ts';
import { normalizeUrl } from '../core/url.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { Log } from '../observability/logger.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { BrokenTargets, BrokenTool, ToolKind, ToolRecords, ToolStore } from '../storage/system/tools.ts';
import type { PageFinder } from './page-finder.ts';
import { linksOf } from './sanitize.ts';

export type LinkDeps = {
  readonly pages: PageFinder;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly store: Pick<AccountStore, 'listCrawlers'>;
};

export type ToolCheckDeps = LinkDeps & {
  readonly systemStore: Pick<ToolStore, 'listTools' | 'noteBrokenTools' | 'toolsCheckedAt'>;
  readonly clock: Clock;
};

/** A tool with targets that are gone, as the last check found it. */
export type FoundBroken = BrokenTargets & { readonly kind: ToolKind; readonly id: number; readonly name: string };

type EngineInput = { readonly engine: Pick<Engine, 'id' | 'customerId'>; readonly signal: AbortSignal };

/**
 * Looks whether the documents of pins and hidden pages are there, and whether quicklinks and links of banners lead to
 * pages that were removed from the engine; stores what it finds. Costs a read per pin, and a search per link.
 */
export async function checkTools(deps: ToolCheckDeps, { engine, signal }: EngineInput): Promise<void> {
  const { id: engineId, customerId } = engine;
  const at = deps.clock.now();
  const own = { customerId, engineId };
  const broken: BrokenTool[] = [];
  const note = async (
    kind: ToolKind,
    id: number,
    targets: readonly string[],
    isBroken: (target: string) => Promise<boolean>,
  ) => {
    const gone: string[] = [];
    for (const target of new Set(targets)) {
      await yieldInBackground(engineId);
      signal.throwIfAborted();
      if (await isBroken(target)) gone.push(target);
    }
    if (gone.length > 0) broken.push({ kind, id, targets: gone });
  };
  const isGone = async (documentId: string) => (await deps.pages.find(engineId, { documentId }, signal)) === undefined;
  const isRemoved = async (link: string) => (await stateOfLink(deps, { engineId, link, signal })) === 'removed';
  for (const { id, pins } of await deps.systemStore.listTools('ranking', own)) {
    await note(
      'ranking',
      id,
      pins.map(({ page }) => page.documentId),
      isGone,
    );
  }
  for (const { id, documentId } of await deps.systemStore.listTools('hidden-page', own)) {
    await note('hidden-page', id, [documentId], isGone);
  }
  for (const { id, html } of await deps.systemStore.listTools('banner', own)) {
    await note('banner', id, linksOf(html), isRemoved);
  }
  for (const { id, url } of await deps.systemStore.listTools('quicklink', own)) {
    await note('quicklink', id, [url], isRemoved);
  }
  await deps.systemStore.noteBrokenTools(engineId, broken, at);
}

const DAY_MS = 86_400_000;

export type DueCheckDeps = ToolCheckDeps & {
  readonly store: Pick<AccountStore, 'listEngines'>;
  readonly log: Pick<Log, 'error'>;
};

/** Checks the tools of every engine whose last check is a day old, one engine after the other. */
export async function checkDueTools(deps: DueCheckDeps, signal: AbortSignal): Promise<void> {
  for (const engine of await deps.store.listEngines()) {
    if (signal.aborted) return;
    try {
      const checkedAt = await deps.systemStore.toolsCheckedAt(engine.id);
      const now = deps.clock.now();
      // A clock that was set back makes a check early, never one that does not come.
      if (checkedAt !== undefined && checkedAt <= now && now - checkedAt < DAY_MS) continue;
      await checkTools(deps, { engine, signal });
    } catch (err) {
      if (!signal.aborted) deps.log.error({ err, engineId: engine.id }, 'search tools could not be checked');
    }
  }
}

/** What the last check found, by kind and id. */
export async function listBroken(
  { systemStore }: { readonly systemStore: Pick<ToolStore, 'listTools'> },
  { id: engineId, customerId }: Pick<Engine, 'id' | 'customerId'>,
): Promise<readonly FoundBroken[]> {
  const found: FoundBroken[] = [];
  for (const kind of ['ranking', 'banner', 'quicklink', 'hidden-page'] as const) {
    for (const tool of await systemStore.listTools(kind, { customerId, engineId })) {
      if (tool.broken !== undefined) found.push({ kind, id: tool.id, name: nameOf(tool), ...tool.broken });
    }
  }
  return found;
}

function nameOf(tool: ToolRecords[ToolKind]): string {
  return 'name' in tool ? tool.name : tool.url;
}

type LinkInput = { readonly engineId: number; readonly link: string; readonly signal: AbortSignal };
/** `unknown`: on a site that the engine knows, where it has no such page. */
type LinkState = 'document' | 'removed' | 'unknown' | 'elsewhere';

const MAX_ORIGINS = 10;

/** A link without a host may stand on any site of the engine. */
async function stateOfLink(deps: LinkDeps, { engineId, link, signal }: LinkInput): Promise<LinkState> {
  const crawlers = await deps.store.listCrawlers({ engineId });
  const bases = link.startsWith('/') ? originsOf(crawlers) : [undefined];
  const states: LinkState[] = [];
  for (const base of bases) {
    const url = normalizeUrl(URL.parse(link, base)?.href ?? '');
    if (url !== undefined) states.push(await stateOfUrl(deps, { engineId, url, signal }, crawlers));
  }
  return (['document', 'removed', 'unknown'] as const).find((state) => states.includes(state)) ?? 'elsewhere';
}

type UrlInput = { readonly engineId: number; readonly url: string; readonly signal: AbortSignal };

async function stateOfUrl(
  { pages, engineStores }: LinkDeps,
  { engineId, url, signal }: UrlInput,
  crawlers: readonly Pick<Crawler, 'id'>[],
): Promise<LinkState> {
  if ((await pages.find(engineId, { url }, signal)) !== undefined) return 'document';
  const store: Pick<EngineStore, 'findUrl' | 'findHostOf'> = await engineStores.of(engineId);
  let isKnownSite = false;
  for (const { id } of crawlers) {
    if ((await store.findUrl(id, url))?.facts.state === 'gone') return 'removed';
    isKnownSite ||= (await store.findHostOf(id, new URL(url).origin)) !== undefined;
  }
  return isKnownSite ? 'unknown' : 'elsewhere';
}

function originsOf(crawlers: readonly Crawler[]): readonly string[] {
  const seeds = crawlers.flatMap(({ config }) => (Array.isArray(config['seeds']) ? config['seeds'] : []));
  const origins = seeds.flatMap((seed) => URL.parse(String(seed))?.origin ?? []);
  return [...new Set(origins)].slice(0, MAX_ORIGINS);
}

/** Links of a tool that are looked at when it is stored. */
const MAX_LINKS = 20;

/** Sentences about links to pages of the engine's sites that it does not have. */
export async function linkWarnings(
  deps: LinkDeps,
  {
    engineId,
    links,
    signal,
  }: { readonly engineId: number; readonly links: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const link of new Set(links.slice(0, MAX_LINKS))) {
    const state = await stateOfLink(deps, { engineId, link, signal });
    if (state === 'removed') warnings.push(`${link} leads to a page that was removed from its site`);
    if (state !== 'unknown') continue;
    const [nearest] = await deps.pages.nearest(engineId, { near: link, limit: 1 }, signal);
    const hint = nearest === undefined ? '' : `; did you mean ${nearest.url}?`;
    warnings.push(`${link} is no document of engine ${engineId}${hint}`);
  }
  return warnings;
}
