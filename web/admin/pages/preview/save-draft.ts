import { FossickError } from '../../../../packages/client/src/fossick-error.ts';
import type { AdminClient } from '../../client/admin-client.ts';
import { add, drop, editablePart, type Undo } from '../../client/tool-records.ts';
import type { List } from '../../client/tool-types.ts';
import type { EditedRanking } from '../../generated-types.ts';
import { type Draft, type DraftBase, NO_DRAFT, ownRanking, rankingBody, storedPins } from './draft.ts';

export type SaveTarget = {
  readonly client: AdminClient;
  readonly engineId: string;
  readonly customerId: number;
  readonly query: string;
};

/** A part of a draft: how it is saved, and the draft without it. */
type Step = {
  readonly run: () => Promise<Undo>;
  readonly saved: (draft: Draft) => Draft;
};

export type SavedDraft = {
  /** What is left of it: nothing, unless a part failed. */
  readonly left: Draft;
  readonly error: unknown;
  /** Takes back everything that was saved, the last first. */
  readonly undo: Undo | undefined;
};

/** Somebody else has changed the ranking since the draft was begun. */
export class RankingChanged extends Error {
  readonly theirs: DraftBase;
  constructor(theirs: DraftBase) {
    super('Somebody else changed the pins of this query');
    this.theirs = theirs;
  }
}

/** Saves one part after the other: the pins first, which somebody else may have changed. */
export async function saveDraft(target: SaveTarget, draft: Draft): Promise<SavedDraft> {
  const undos: Undo[] = [];
  const undo = async () => {
    for (const back of undos.toReversed()) await back();
  };
  let left = draft;
  for (const { run, saved } of stepsOf(target, draft)) {
    try {
      undos.push(await run());
      left = saved(left);
    } catch (error) {
      return { left, error, undo: undos.length > 0 ? undo : undefined };
    }
  }
  return { left: NO_DRAFT, error: undefined, undo };
}

function stepsOf(target: SaveTarget, draft: Draft): readonly Step[] {
  const { engineId, customerId } = target;
  const base = `/engines/${engineId}`;
  const { banners, quicklinks, synonyms, hiddenPages, removed } = draft;
  const added = (path: string, body: unknown, saved: Step['saved']): Step => ({
    run: () => add(target.client, path, body),
    saved,
  });
  const dropped = (kind: 'banners' | 'quicklinks', id: number): Step => ({
    run: () => drop(target.client, `${base}/${kind}`, id),
    saved: (left) => ({
      ...left,
      removed: { ...left.removed, [kind]: left.removed[kind].filter((one) => one !== id) },
    }),
  });
  return [
    ...(draft.pins === undefined ? [] : [pinStep(target, draft)]),
    ...banners.map((one) =>
      added(`${base}/banners`, one, (left) => ({ ...left, banners: left.banners.filter((other) => other !== one) })),
    ),
    ...quicklinks.map((one) =>
      added(`${base}/quicklinks`, one, (left) => ({
        ...left,
        quicklinks: left.quicklinks.filter((other) => other !== one),
      })),
    ),
    ...synonyms.map((one) =>
      added(`/customers/${customerId}/synonyms`, one, (left) => ({
        ...left,
        synonyms: left.synonyms.filter((other) => other !== one),
      })),
    ),
    ...hiddenPages.map((one) =>
      added(`${base}/hidden-pages`, { documentId: one.documentId }, (left) => ({
        ...left,
        hiddenPages: left.hiddenPages.filter((other) => other !== one),
      })),
    ),
    ...removed.banners.map((id) => dropped('banners', id)),
    ...removed.quicklinks.map((id) => dropped('quicklinks', id)),
    ...removed.hiddenPages.map((id) => shownAgain(target, id)),
  ];
}

function shownAgain({ client, engineId }: SaveTarget, id: number): Step {
  return {
    run: async () => {
      const path = `/engines/${engineId}/hidden-pages`;
      const { body } = await client.get<List<{ readonly id: number; readonly documentId: string }>>(path, {
        query: { limit: 100 },
      });
      const page = body.items.find((one) => one.id === id);
      await client.delete(`${path}/${id}`);
      return async () => {
        if (page !== undefined) await client.post(path, { body: { documentId: page.documentId } });
      };
    },
    saved: (left) => ({
      ...left,
      removed: { ...left.removed, hiddenPages: left.removed.hiddenPages.filter((one) => one !== id) },
    }),
  };
}

function pinStep(target: SaveTarget, draft: Draft): Step {
  return {
    run: () => savePins(target, draft),
    saved: ({ pins: _pins, base: _base, ...left }) => left,
  };
}

/** @throws RankingChanged when the stored ranking is not the one that the draft was made of */
async function savePins({ client, engineId, query }: SaveTarget, { pins = [], base }: Draft): Promise<Undo> {
  const path = `/engines/${engineId}/rankings`;
  const { ranking, etag } = await findOwn(client, path, query);
  if (etag !== base?.etag) throw new RankingChanged({ etag, pins: storedPins(ranking) });
  const body = rankingBody(query, ranking, pins);
  if (ranking === undefined) return pins.length === 0 ? async () => undefined : add(client, path, body);
  const address = `${path}/${ranking.id}`;
  const before = editablePart(path, ranking);
  try {
    if (pins.length === 0) {
      await client.delete(address, { ifMatch: etag });
      return () => client.post(path, { body: before });
    }
    await client.put(address, { body, ifMatch: etag });
    return () => client.put(address, { body: before });
  } catch (error) {
    if (!(error instanceof FossickError) || error.errorCode !== 'record.changed') throw error;
    const theirs = await findOwn(client, path, query);
    throw new RankingChanged({ etag: theirs.etag, pins: storedPins(theirs.ranking) });
  }
}

/** The query's own ranking as it is now. */
async function findOwn(client: AdminClient, path: string, query: string) {
  const { body } = await client.get<List<EditedRanking>>(path, { query: { query, limit: 100 } });
  const own = ownRanking(body.items, query);
  if (own === undefined) return { ranking: undefined, etag: undefined };
  const { body: ranking, etag } = await client.get<EditedRanking>(`${path}/${own.id}`);
  return { ranking, etag };
}
