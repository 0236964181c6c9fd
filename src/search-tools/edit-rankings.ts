import { AppError } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { Actor } from '../storage/system/accounts.ts';
import { draftPin, draftTerms, type Place } from '../storage/system/tool-drafts.ts';
import type { Pin, Ranking, RankingDraft, ToolStore } from '../storage/system/tools.ts';
import { type FoundPage, type PageFinder, type PageName, requirePage } from './page-finder.ts';
import { foldTerm, termMatcher } from './tool-snapshot.ts';
import { createTool, removeTool, replaceTool, type ToolDeps } from './tools.ts';

/** A page of a ranking as an editor wants it. */
export type WantedPin = {
  readonly page: PageName;
  /** From 1; undefined = behind the pin before it. */
  readonly place: number | undefined;
  readonly hidden: boolean;
};

/** A ranking as an editor wants it. */
export type WantedRanking = {
  readonly name: string;
  readonly queries: readonly string[];
  readonly audiences: readonly unknown[];
  readonly pins: readonly WantedPin[];
};

type DraftInput = {
  readonly engineId: number;
  readonly wanted: WantedRanking;
  /** The stored ranking: what it has stays, also when the document is gone. */
  readonly present: Ranking | undefined;
  readonly signal: AbortSignal;
};

/** @throws AppError `record.not-found` for a page that is no document and was not there before */
export async function draftRanking(
  pages: PageFinder,
  { engineId, wanted, present, signal }: DraftInput,
): Promise<RankingDraft> {
  const pins: RankingDraft['pins'][number][] = [];
  let place = 0;
  for (const { page: name, place: wantedPlace, hidden } of wanted.pins) {
    const known = present?.pins.find((pin) => isNamed(pin, name));
    const page = known === undefined ? await requirePage(pages, { engineId, name, signal }) : pageOf(known);
    if (!hidden) place = wantedPlace ?? place + 1;
    pins.push(draftPin({ engineId, page, place: hidden ? 'hidden' : place, id: known?.id }));
  }
  return {
    engineId,
    name: wanted.name,
    terms: draftTerms(wanted.queries, present?.terms),
    audiences: wanted.audiences.length === 0 ? undefined : wanted.audiences,
    pins,
  };
}

function isNamed({ page }: Pick<Pin, 'page'>, name: PageName): boolean {
  return 'url' in name ? page.url === name.url : page.documentId === name.documentId;
}

function pageOf({ page }: Pick<Pin, 'page'>): FoundPage {
  return { documentId: page.documentId, url: page.url, title: page.name };
}

type PinDeps = ToolDeps<'listTools' | 'addTool' | 'replaceTool' | 'removeTool' | 'findTool'> & {
  readonly pages: PageFinder;
};

type PinInput = {
  readonly engine: Engine;
  readonly actor: Actor;
  readonly query: string;
  readonly page: PageName;
  readonly signal: AbortSignal;
};

/** A pin that had to make room. */
export type MovedPin = FoundPage & { readonly from: number; readonly to: number };

export type Pinned = {
  readonly ranking: Ranking;
  readonly pin: Pin;
  readonly shifted: readonly MovedPin[];
  /** What keeps the change from showing as it was wanted. */
  readonly warnings: readonly string[];
};

/**
 * Gives a page a place in the results of a query, or hides it there: in the ranking of exactly this query, or in a new
 * one. Pins that have the place move down, as far as one follows the other.
 * @throws AppError `record.not-found` for what is no document · `record.managed`
 */
export async function placePage(deps: PinDeps, input: PinInput & { readonly place: Place }): Promise<Pinned> {
  const { engine, place, signal } = input;
  const page = await requirePage(deps.pages, { engineId: engine.id, name: input.page, signal });
  return untilUnchanged(async () => {
    const rankings = await rankingsOf(deps, engine);
    const { own, draft, shifted } = draftPlacement(rankings, { engineId: engine.id, query: input.query, page, place });
    const ranking = await store(deps, { ...input, own, draft });
    const pin = ranking.pins.find(({ page: { documentId } }) => documentId === page.documentId) as Pin;
    const warnings = await warningsOf(deps, { engine, query: input.query, rankings, ranking, pin });
    return { ranking, pin, shifted, warnings };
  });
}

type Placing = {
  readonly engineId: number;
  readonly query: string;
  readonly page: FoundPage;
  readonly place: Place;
};

/** The ranking that gives a page its place, as it would be; `own` is the stored one, undefined where there is none. */
export function draftPlacement(
  rankings: readonly Ranking[],
  { engineId, query, page, place }: Placing,
): { readonly own: Ranking | undefined; readonly draft: RankingDraft; readonly shifted: readonly MovedPin[] } {
  const own = ownRanking(rankings, query);
  const others = (own?.pins ?? []).filter((pin) => pin.page.documentId !== page.documentId);
  const { pins, shifted } = place === 'hidden' ? { pins: others, shifted: [] } : makeRoom(others, place);
  const present = own?.pins.find((pin) => pin.page.documentId === page.documentId);
  const added = draftPin({ engineId, page, place, id: present?.id });
  const { name, terms, audiences } = own ?? { name: query, terms: draftTerms([query]), audiences: undefined };
  return { own, draft: { engineId, name, terms, audiences, pins: sorted([...pins, added]) }, shifted };
}

/**
 * Takes a page out of the ranking of exactly this query, and removes the ranking when it holds nothing else.
 * @throws AppError `record.not-found` when no ranking of the query has it · `record.conflict` when only one of more
 *   queries has it · `record.managed`
 */
export async function releasePage(
  deps: PinDeps,
  input: Omit<PinInput, 'signal'>,
): Promise<{ readonly ranking: Ranking | undefined }> {
  return untilUnchanged(async () => {
    const rankings = await rankingsOf(deps, input.engine);
    const own = ownRanking(rankings, input.query);
    const isIt = (pin: Pin) => isNamed(pin, input.page);
    if (own === undefined || !own.pins.some(isIt)) throw notPinned(rankings, input, isIt);
    const pins = own.pins.filter((pin) => !isIt(pin));
    const { engineId, name, audiences, terms } = own;
    if (pins.length > 0) {
      return { ranking: await store(deps, { ...input, own, draft: { engineId, name, audiences, terms, pins } }) };
    }
    await removeTool(deps, { kind: 'ranking', present: own, actor: input.actor, isMatched: true });
    return { ranking: undefined };
  });
}

function notPinned(
  rankings: readonly Ranking[],
  { engine, query, page }: Omit<PinInput, 'signal'>,
  isIt: (pin: Pin) => boolean,
): AppError {
  const name = 'url' in page ? page.url : page.documentId;
  const wider = calledUp(rankings, query).find(({ pins }) => pins.some(isIt));
  if (wider === undefined) {
    const message = `No ranking of "${query}" has ${name}: fossick pin list ${engine.id} shows what there is`;
    return new AppError('record.not-found', message);
  }
  const message =
    `The page is in ranking ${wider.id} (${wider.name}), which is not of this query alone: ` +
    `change it with fossick ranking set ${engine.id} ${wider.id}`;
  return new AppError('record.conflict', message);
}

/** Somebody else may change the ranking between the look and the change. */
const MAX_TRIES = 5;

async function untilUnchanged<T>(change: () => Promise<T>, tries = MAX_TRIES): Promise<T> {
  return change().catch((error: unknown) => {
    const isLate = error instanceof AppError && error.code === 'record.changed';
    if (!isLate || tries <= 1) throw error;
    return untilUnchanged(change, tries - 1);
  });
}

function rankingsOf({ systemStore }: { readonly systemStore: Pick<ToolStore, 'listTools'> }, engine: Engine) {
  return systemStore.listTools('ranking', { customerId: engine.customerId, engineId: engine.id });
}

/** The first ranking of exactly this query, for all visitors. */
function ownRanking(rankings: readonly Ranking[], query: string): Ranking | undefined {
  const wanted = foldTerm(query);
  return rankings.find(
    ({ terms: [first, ...more], audiences = [] }) =>
      first !== undefined && more.length === 0 && audiences.length === 0 && foldTerm(first.name) === wanted,
  );
}

/** Rankings of a query, of whichever audience. */
export function calledUp<T extends Pick<Ranking, 'terms'>>(records: readonly T[], query: string): readonly T[] {
  const matches = termMatcher(query);
  return records.filter(({ terms }) => terms.some(({ name }) => matches(name)));
}

type DraftPin = RankingDraft['pins'][number];

function makeRoom(pins: readonly Pin[], place: number): { pins: readonly Pin[]; shifted: readonly MovedPin[] } {
  const shifted: MovedPin[] = [];
  let taken = place;
  const moved = sorted(pins).map((pin) => {
    if (!pin.shown || pin.rank !== taken) return pin;
    taken++;
    shifted.push({ ...pageOf(pin), from: pin.rank, to: taken });
    return { ...pin, rank: taken };
  });
  return { pins: moved, shifted };
}

/** By place, hidden ones last. */
function sorted<T extends Pick<DraftPin, 'shown' | 'rank'>>(pins: readonly T[]): readonly T[] {
  return pins.toSorted((a, b) => Number(b.shown) - Number(a.shown) || a.rank - b.rank);
}

type Stored = {
  readonly engine: Engine;
  readonly actor: Actor;
  readonly own: Ranking | undefined;
  readonly draft: RankingDraft;
};

function store(deps: PinDeps, { engine: { customerId }, actor, own, draft }: Stored): Promise<Ranking> {
  if (own === undefined) return createTool(deps, { kind: 'ranking', customerId, actor, draft });
  return replaceTool(deps, { kind: 'ranking', present: own, draft, actor, isMatched: true });
}

type Warned = {
  readonly engine: Engine;
  readonly query: string;
  readonly rankings: readonly Ranking[];
  readonly ranking: Ranking;
  readonly pin: Pin;
};

async function warningsOf(
  { systemStore }: Pick<PinDeps, 'systemStore'>,
  { engine: { id: engineId, customerId }, query, rankings, ranking, pin }: Warned,
): Promise<readonly string[]> {
  if (!pin.shown) return [];
  const hidden = await systemStore.listTools('hidden-page', { customerId, engineId });
  const others = calledUp(rankings, query).filter(({ id }) => id !== ranking.id);
  return [
    ...hidden
      .filter(({ documentId }) => documentId === pin.page.documentId)
      .map(({ id }) => `The page is hidden for every query (hidden page ${id}): it is not shown`),
    ...others.flatMap((other) => conflictsOf(other, { ranking, pin })),
  ];
}

function conflictsOf(
  { id, name, pins }: Ranking,
  { ranking, pin }: Pick<Warned, 'ranking' | 'pin'>,
): readonly string[] {
  const which = `Ranking ${id} (${name}) of this query`;
  return pins.flatMap(({ shown, rank, page }) => {
    const isSame = page.documentId === pin.page.documentId;
    if (isSame && !shown) return [`${which} hides the page: it is not shown`];
    if (isSame) return [`${which} has the page at place ${rank}, too`];
    if (!shown || rank !== pin.rank) return [];
    return [`${which} has another page at place ${rank}, which ${id < ranking.id ? 'goes first' : 'comes next'}`];
  });
}
