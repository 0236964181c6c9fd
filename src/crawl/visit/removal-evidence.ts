import { originOf } from '../../core/url.ts';
import type { RemovalStore } from '../../storage/removal-store.ts';
import type { RunStore } from '../../storage/run-store.ts';
import { hasDocument, type VisitFacts } from './decision.ts';

type EvidenceStore = Pick<RunStore, 'findUrl'> & Pick<RemovalStore, 'findHeldRemoval' | 'findDocumentHead'>;

/** The facts with what only the store knows of a page that may be gone. */
export async function withEvidence(store: EvidenceStore, crawlerId: number, facts: VisitFacts): Promise<VisitFacts> {
  const { row, host } = facts;
  const isMissing = facts.fetched?.status === 404 || facts.fetched?.status === 410;
  if (row.record.state === 'suspected') {
    const held = await store.findHeldRemoval(crawlerId, row.url);
    return { ...facts, held, host: { ...host, seedStands: await doesSeedStand(store, crawlerId, facts) } };
  }
  if (!isMissing || hasDocument(row)) return facts;
  return { ...facts, document: await store.findDocumentHead(crawlerId, row.url) };
}

/** Seeds of a host that are asked for. */
const MAX_SEEDS = 20;

/** Does a seed of the host, other than the page itself, answer as it should? True when there is none. */
async function doesSeedStand(store: EvidenceStore, crawlerId: number, { row, rules }: VisitFacts): Promise<boolean> {
  const origin = originOf(row.url);
  const others = rules.seeds.filter((url) => url !== row.url && originOf(url) === origin);
  for (const url of others.slice(0, MAX_SEEDS)) {
    const seed = await store.findUrl(crawlerId, url);
    if (seed !== undefined && STANDING.has(seed.facts.state) && isAnswer(seed.facts.httpStatus)) return true;
  }
  return others.length === 0;
}

const STANDING: ReadonlySet<string> = new Set(['live', 'alias', 'twin', 'skipped']);

/** A seed that was never asked (robots) says nothing bad. */
function isAnswer(status: number | undefined): boolean {
  return status === undefined || status < 400;
}
