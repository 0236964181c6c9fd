import { yieldInBackground } from '../core/yield.ts';
import { type Finding, finding } from './finding.ts';
import type { Check } from './health.ts';

/** How far searches of an engine are behind its store. */
export type IndexLag = {
  readonly engineId: number;
  readonly seq: number;
  readonly visibleSeq: number;
  /** How long the oldest change that is not visible has been there; 0 when all are visible. */
  readonly seconds: number;
};

export type IndexLagDeps = {
  readonly engines: () => Promise<readonly { readonly id: number; readonly name: string }[]>;
  readonly lastSeq: (engineId: number) => Promise<number>;
  /** Opens the index of an engine at its first call and answers 0 then. */
  readonly visibleSeq: (engineId: number) => number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

export type IndexLags = {
  /** Looks at every engine; one turn of the event loop each. */
  look(): Promise<readonly IndexLag[]>;
  /** As of the last look. */
  readonly last: () => readonly IndexLag[];
};

/** A change is looked for from the first look that saw it. */
type SeqObservation = { readonly seq: number; readonly atMs: number };
type Tracked = { sightings: SeqObservation[]; visibleSeq: number };

/** Engines whose index is asked for the first time in one look: each is opened for it. */
const OPENED_PER_LOOK = 20;
const MOST_SIGHTINGS = 100;

/** Follows what is stored and what is visible; an engine without a change since it was last level costs one read. */
export function createIndexLags(deps: IndexLagDeps): IndexLags {
  const tracked = new Map<number, Tracked>();
  let last: readonly IndexLag[] = [];

  const lagOf = async (engineId: number, mayOpen: () => boolean): Promise<IndexLag> => {
    const seq = await deps.lastSeq(engineId);
    const known = tracked.get(engineId);
    const state = known ?? { sightings: [], visibleSeq: 0 };
    tracked.set(engineId, state);
    const atMs = deps.monotonicMs();
    const newest = state.sightings.at(-1)?.seq ?? state.visibleSeq;
    if (seq > newest && state.sightings.length < MOST_SIGHTINGS) state.sightings.push({ seq, atMs });
    if (seq !== state.visibleSeq && (state.visibleSeq > 0 || mayOpen())) state.visibleSeq = deps.visibleSeq(engineId);
    state.sightings = state.sightings.filter((observation) => observation.seq > state.visibleSeq);
    const [oldest] = state.sightings;
    const seconds = oldest === undefined ? 0 : (atMs - oldest.atMs) / 1_000;
    return { engineId, seq, visibleSeq: state.visibleSeq, seconds };
  };
  return {
    last: () => last,
    look: async () => {
      const lags: IndexLag[] = [];
      let opened = 0;
      const mayOpen = () => opened++ < OPENED_PER_LOOK;
      const engines = await deps.engines();
      for (const { id } of engines) {
        await yieldInBackground();
        lags.push(await lagOf(id, mayOpen));
      }
      const present = new Set(engines.map(({ id }) => id));
      for (const id of tracked.keys()) if (!present.has(id)) tracked.delete(id);
      last = lags;
      return lags;
    },
  };
}

const BEHIND_SECONDS = 30;
const WITHIN_MS = 60_000;

/** What was acknowledged is to be found: the most important promise has a finding of its own. */
export function checkIndexLag(lags: IndexLags): Check {
  return {
    name: 'index lag',
    withinMs: WITHIN_MS,
    look: async () => (await lags.look()).filter(({ seconds }) => seconds >= BEHIND_SECONDS).map(behind),
  };
}

function behind({ engineId, seq, visibleSeq, seconds }: IndexLag): Finding {
  return finding('index-behind', {
    subject: `engine ${engineId}`,
    sentence: `Searches of engine ${engineId} are ${Math.round(seconds)} s behind: what was stored after change ${visibleSeq} of ${seq} is not found`,
    command: `fossick ps (does upkeep run?), then fossick engine rebuild ${engineId}`,
  });
}
