import { z } from 'zod';
import { invalidRequest } from '../core/errors.ts';
import { refuseManaged } from '../core/managed-record.ts';
import type { Crawler } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import type { Actor } from '../storage/system/accounts.ts';
import {
  type ChangeDeps,
  changeRecords,
  type MatchedChange,
  RECORD_ID,
  RECORD_NAME,
  refuseTaken,
  requireRecord,
  type SentChange,
} from './account-change.ts';
import { mergePatch } from './manage-engines.ts';
import { parseStrictly, problemAt } from './problems.ts';
import type { ParseCrawlerSettings } from './provision-file.ts';

/** Rows that one step of a removal may touch: a step holds the write thread for some 10 ms. */
const STEP_ROWS = 1_000;

export type CrawlerDeps = ChangeDeps & {
  readonly parseCrawlerSettings: ParseCrawlerSettings;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly wake: Wake;
  /** @throws AppError `record.conflict` when settings remove documents and nobody has agreed to it */
  readonly confirmSettings: (
    input: { readonly crawler: Crawler; readonly config: Crawler['config'] },
    confirmation: Confirmation,
  ) => Promise<void>;
};

/** How an operator agrees to a removal of documents: with the token of the preview, or in so many words. */
type Confirmation = { readonly token: string | undefined; readonly allowDelete: boolean };

/** Besides these a crawler has the members of its settings. */
export const NEW_CRAWLER = z.looseObject({ id: RECORD_ID.optional(), engine: RECORD_ID, name: RECORD_NAME });
export const CHANGED_CRAWLER = z.looseObject({ name: RECORD_NAME.optional() });

/** The crawler is inactive. @throws AppError `request.invalid`, also for an unknown engine · `record.conflict` */
export async function addCrawler(deps: CrawlerDeps, { actor, sent }: SentChange): Promise<Crawler> {
  const { id, engine, name, ...members } = parseStrictly(NEW_CRAWLER, sent);
  if ((await deps.store.findEngine(engine)) === undefined) {
    throw invalidRequest([problemAt(['engine'], `there is no engine ${engine}`)]);
  }
  if (id !== undefined) refuseTaken('crawler', id, await deps.store.findCrawler(id));
  const config = deps.parseCrawlerSettings(members, Object.keys(NEW_CRAWLER.shape));
  const [made = 0] = await changeRecords(deps, actor, [
    { kind: 'put-crawler', engineId: engine, name, config, ...(id !== undefined && { id }), seen: 'none' },
  ]);
  return requireRecord('crawler', made, await deps.store.findCrawler(made));
}

type CrawlerChange = MatchedChange<Crawler> & { readonly id: number; readonly confirmation: Confirmation };

/**
 * Changes the settings that were sent (RFC 7396): `null` brings back a default. Works within 200 ms, also in a run.
 * @throws AppError `request.invalid` · `record.not-found` · `record.managed` · `record.conflict` when documents would
 * leave and nobody has agreed to it, or somebody else has changed the crawler meanwhile (`record.changed` of a matched
 * one)
 */
export async function changeCrawler(
  deps: CrawlerDeps,
  { actor, id, sent, confirmation, matched }: CrawlerChange,
): Promise<Crawler> {
  const crawler = matched ?? requireRecord('crawler', id, await deps.store.findCrawler(id));
  refuseManaged('crawler', crawler);
  const { name = crawler.name, ...members } = parseStrictly(CHANGED_CRAWLER, sent);
  const changed = mergePatch(crawler.config, members);
  const config = deps.parseCrawlerSettings(changed, Object.keys(CHANGED_CRAWLER.shape), crawler.config);
  await deps.confirmSettings({ crawler, config }, confirmation);
  const { engineId } = crawler;
  const isMatched = matched !== undefined;
  await changeRecords(deps, actor, [{ kind: 'put-crawler', id, engineId, name, config, seen: crawler, isMatched }]);
  deps.wake({ kind: 'crawler-changed', engineId, crawlerId: id });
  return requireRecord('crawler', id, await deps.store.findCrawler(id));
}

/**
 * Removes the crawler and its documents, in steps; what a broken removal left is done by the next one.
 * @throws AppError `record.not-found` · `record.managed`
 */
export async function removeCrawler(
  deps: CrawlerDeps,
  { actor, id }: { readonly actor: Actor; readonly id: number },
): Promise<void> {
  const crawler = requireRecord('crawler', id, await deps.store.findCrawler(id));
  refuseManaged('crawler', crawler, 'remove it');
  await changeRecords(deps, actor, [{ kind: 'set-crawler-active', id, active: false }]);
  const { activation = 0 } = (await deps.store.findCrawler(id)) ?? {};
  const engine = await deps.engineStores.of(crawler.engineId);
  await engine.stopRuns(id, activation, deps.clock.now());
  await removeContent(deps, engine, { id, activation });
  await changeRecords(deps, actor, [{ kind: 'remove-crawler', id }]);
  deps.wake({ kind: 'crawler-changed', engineId: crawler.engineId, crawlerId: id });
}

async function removeContent(
  { clock }: CrawlerDeps,
  engine: EngineStore,
  { id, activation }: Pick<Crawler, 'id' | 'activation'>,
): Promise<void> {
  // An activation above the present one makes every waiting row void.
  const discard = { crawlerId: id, activation: activation + 1, limit: STEP_ROWS, now: clock.now() };
  while ((await engine.discardVoid(discard)) === STEP_ROWS);
  while ((await engine.deleteCrawlerDocuments(id, STEP_ROWS, clock.now())) === STEP_ROWS);
}
