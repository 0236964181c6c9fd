import type { Stage } from '../../core/crawl-words.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import { pauseForAccess } from '../crawl-access.ts';
import type { SlotResult } from '../host-slots.ts';
import type { Decision } from '../visit/decision.ts';
import { visitFile } from '../visit/visit-file.ts';
import { visitLoggedIn } from '../visit/visit-logged-in.ts';
import { visitPageOrSitemap } from '../visit/visit-page-or-sitemap.ts';
import { visitRendered } from '../visit/visit-rendered.ts';
import { isSitemap } from '../visit/visit-sitemap.ts';
import type { VisitRow } from '../visit/visit-url.ts';
import { entryOf, type JudgedVisit, recordVisit } from './record-visit.ts';
import type { GrantedVisit } from './slice-dispatcher.ts';
import type { SliceState } from './slice-state.ts';
import { openVisitSlot, type VisitSlot } from './visit-slot.ts';

/**
 * A visit from its start to its record. What a row is on its way through a slice, and where that is decided:
 *
 * due        `DueRow`, leased from the store                                        slice-dispatcher.ts
 * admitted   scope, robots.txt and the word of its sitemap ask for a visit          admit-row.ts
 * granted    `GrantedVisit`, its host has a slot for it                             slice-dispatcher.ts
 * judged     `JudgedVisit`, fetched and read: the first of `VISIT_RULES` decided    here, visit/visit-url.ts
 * recorded   in one transaction with everything that follows from it                record-visit.ts
 *
 * Whatever changes on the way is owned by `SliceState`.
 */
export async function visitGranted(slice: SliceState, { row, grant }: GrantedVisit): Promise<void> {
  const { deps, store, watch, counts } = slice;
  counts.begun++;
  counts.underWay++;
  const slot = openVisitSlot({ ...deps, slots: slice.slots }, grant);
  let result: SlotResult = 'unused';
  try {
    const waitsUntil = await mayBegin(slice, row);
    if (waitsUntil !== undefined)
      return await store.returnLeases(slice.lane, [{ urlId: row.urlId, dueAt: waitsUntil }]);
    const judged = await judgeGranted(slice, row, slot);
    result = judged?.decision.pace ?? 'unused';
    if (watch.isVoid()) return;
    if (judged === undefined) await store.returnLeases(slice.lane, [{ urlId: row.urlId, dueAt: deps.clock.now() }]);
    else await recordVisit(slice, judged);
  } finally {
    slot.release(result);
    slice.templateGate?.end(row);
    if (!isSitemap(row)) slice.patterns.end(row);
    counts.underWay--;
    slice.dispatcher.notify();
  }
}

/** Until when a row waits that was granted a start all the same. */
async function mayBegin(slice: SliceState, row: DueRow): Promise<number | undefined> {
  const heldUntil = slice.templateGate?.begin(row);
  if (heldUntil !== undefined) return heldUntil;
  return isSitemap(row) || (await slice.patterns.mayBegin(row)) ? undefined : slice.deps.clock.now();
}

/** Fetches, reads and decides; undefined when the slice ended meanwhile: the row is as it was. */
async function judgeGranted(slice: SliceState, row: DueRow, slot: VisitSlot): Promise<JudgedVisit | undefined> {
  const { deps, visitStore, watch, removalLoad, reservations, templates } = slice;
  const { rules, robots, login } = slice.compiled;
  const { renderer, extract, spool, clock, random } = deps;
  const { id: crawlerId, activation } = slice.crawler;
  const tools = { fetcher: slot.fetcher, renderer, extract, spool, robots, clock, random, log: deps.log };
  const visitDeps = { ...tools, store: visitStore, removalLoad, reservations, templates };
  const stageVisit = visitOf(slice.input.stage);
  const visitRow = login ? visitLoggedIn(stageVisit, { login, refused: (why) => refuse(slice, why) }) : stageVisit;
  const visited = await visitRow(visitDeps, { crawlerId, activation, row, rules }, watch.fetches);
  if (visited === undefined || watch.isVoid()) return undefined;
  const decision = await heldDecision(slice, row, visited.decision);
  const { target, recorded, error } = visited;
  const entry = await entryOf(slice, row, { ...visited, decision });
  return { row, decision, target, error, ...(recorded && { recorded }), entry };
}

/** What becomes of a visit whose host answered badly depends on what is held for it. */
async function heldDecision({ hosts }: SliceState, row: DueRow, decision: Decision): Promise<Decision> {
  const { hold } = decision;
  return hold !== undefined && (await hosts.hold(row, hold)) ? { ...decision, ...hold.whenHeld } : decision;
}

/** Nobody gets in: the run waits for the operator, and the rows with it. */
async function refuse({ deps, watch, store, crawler }: SliceState, why: string): Promise<void> {
  watch.end();
  await pauseForAccess({ store, clock: deps.clock, log: deps.log }, crawler, { reason: 'login-failed', why });
}

/** What a visit of each stage does. */
const VISITS: Readonly<Record<Stage, VisitRow>> = {
  page: visitPageOrSitemap,
  render: visitRendered,
  file: visitFile,
};

function visitOf(stage: Stage): VisitRow {
  return VISITS[stage];
}
