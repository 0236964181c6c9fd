import { type Check, type Finding, finding, type IndexLag } from './health.ts';

export type SharedTitles = {
  readonly total: number;
  readonly titles: readonly { readonly title: string; readonly documents: number }[];
};

export type TitleDeps = {
  /** As of the last look at the indexes. */
  readonly lags: () => readonly IndexLag[];
  /** The most frequent titles of an engine, the most frequent first. Costs one facet over its documents. */
  readonly mostSharedTitles: (engineId: number) => Promise<SharedTitles>;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/** From both on a title tells its pages from no other: lists of hits become lists of the same words. */
const LEAST_DOCUMENTS = 5;
const LEAST_RATIO = 0.1;
/** An engine that changes all the time is looked at this often, or 50 times what a look takes. */
const REST_MS = 10_000;
const REST_PER_LOOK = 50;
const WITHIN_MS = 60_000;

export type TitleLooks = {
  readonly check: Check;
  /** Documents of the engines as of their last look. */
  readonly documents: () => ReadonlyMap<number, number>;
};

type Looked = {
  readonly visibleSeq: number;
  readonly nextAtMs: number;
  readonly total: number;
  readonly findings: readonly Finding[];
};

/** Looks at one engine at a time, and only at one whose index has changed: opening an index costs memory. */
export function createTitleLooks({ lags, mostSharedTitles, monotonicMs }: TitleDeps): TitleLooks {
  const looked = new Map<number, Looked>();
  const look = async () => {
    const engines = lags();
    const present = new Set(engines.map(({ engineId }) => engineId));
    for (const engineId of looked.keys()) if (!present.has(engineId)) looked.delete(engineId);
    const next = longestRested(engines, looked, monotonicMs());
    if (next !== undefined) {
      const { engineId, visibleSeq } = next;
      const beganMs = monotonicMs();
      const shared = await mostSharedTitles(engineId);
      const now = monotonicMs();
      const nextAtMs = now + Math.max(REST_MS, (now - beganMs) * REST_PER_LOOK);
      looked.set(engineId, { visibleSeq, nextAtMs, total: shared.total, findings: titleFindings(engineId, shared) });
    }
    return [...looked.values()].flatMap(({ findings }) => findings);
  };
  return {
    check: { name: 'titles', withinMs: WITHIN_MS, look },
    documents: () => new Map([...looked].map(([engineId, { total }]) => [engineId, total])),
  };
}

function longestRested(
  engines: readonly IndexLag[],
  looked: ReadonlyMap<number, Looked>,
  nowMs: number,
): IndexLag | undefined {
  const dueAt = ({ engineId }: IndexLag) => looked.get(engineId)?.nextAtMs ?? Number.NEGATIVE_INFINITY;
  return engines
    .filter((engine) => engine.visibleSeq !== (looked.get(engine.engineId)?.visibleSeq ?? 0) && dueAt(engine) <= nowMs)
    .toSorted((a, b) => dueAt(a) - dueAt(b))[0];
}

function titleFindings(engineId: number, { total, titles }: SharedTitles): readonly Finding[] {
  const shared = titles.find(
    ({ title, documents }) => title !== '' && documents >= LEAST_DOCUMENTS && documents >= total * LEAST_RATIO,
  );
  if (shared === undefined) return [];
  return [
    finding('titles-shared', {
      subject: `engine ${engineId}`,
      sentence: `${shared.documents} of ${total} documents of engine ${engineId} have the title ${JSON.stringify(shared.title)}: visitors cannot tell them apart`,
      command: `fossick documents list ${engineId}, then fossick extract <url> --explain (and a rule for Title in content.fields of its crawler)`,
    }),
  ];
}
