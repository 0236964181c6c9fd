import { originOf } from '../../core/url.ts';
import type { HostContentStore } from '../../storage/host-content-store.ts';
import type { RemovalStore } from '../../storage/removal-store.ts';
import type { RunStore } from '../../storage/run-store.ts';
import { hasDocument, signedHash, type Target, type VisitFacts } from './decision.ts';

export type RemovalSignalStore = Pick<RunStore, 'findUrl'> &
  Pick<RemovalStore, 'findHeldRemoval' | 'findDocumentHead'> &
  Pick<HostContentStore, 'hasSameContent' | 'countTemplatesLeadingTo'>;

/** The facts with what only the store knows of a page that may be gone or not be itself. */
export async function withRemovalSignals(
  store: RemovalSignalStore,
  crawlerId: number,
  facts: VisitFacts,
): Promise<VisitFacts> {
  const { row, host, target } = facts;
  const isSuspected = row.record.state === 'suspected';
  return {
    ...facts,
    held: isSuspected ? await store.findHeldRemoval(crawlerId, row.url) : undefined,
    host: isSuspected ? { ...host, seedStands: await doesSeedStand(store, crawlerId, facts) } : host,
    document: asksForDocument(facts) ? await store.findDocumentHead(crawlerId, row.url) : undefined,
    isElsewhere: await isElsewhere(store, crawlerId, facts),
    target: target?.by === 'redirect' ? await withText(store, crawlerId, target) : target,
  };
}

/** Where the record does not tell: one without a document answers as missing, a live one with something else. */
function asksForDocument({ row, rules, fetched, extraction }: VisitFacts): boolean {
  if (fetched !== undefined && rules.settings.removal.pushed === 'protect') return true;
  if (fetched?.status === 404 || fetched?.status === 410) return !hasDocument(row);
  return extraction !== undefined && hasDocument(row) && isChanged(row, extraction);
}

function isChanged({ record }: VisitFacts['row'], { contentHash }: NonNullable<VisitFacts['extraction']>): boolean {
  return record.contentHash !== signedHash(contentHash);
}

async function isElsewhere(
  store: RemovalSignalStore,
  crawlerId: number,
  { row, extraction }: VisitFacts,
): Promise<boolean> {
  if (extraction === undefined || !hasDocument(row) || !isChanged(row, extraction)) return false;
  return store.hasSameContent({ crawlerId, urlId: row.urlId, contentHash: signedHash(extraction.contentHash) });
}

async function withText(store: RemovalSignalStore, crawlerId: number, target: Target): Promise<Target> {
  const similarity = (await store.findUrl(crawlerId, target.url))?.facts.similarity;
  return { ...target, similarity, urlTemplates: await store.countTemplatesLeadingTo(crawlerId, target.url) };
}

/** Seeds of a host that are asked for. */
const MAX_SEEDS = 20;

/** Does a seed of the host, other than the page itself, answer as it should? True when there is none. */
async function doesSeedStand(
  store: RemovalSignalStore,
  crawlerId: number,
  { row, rules }: VisitFacts,
): Promise<boolean> {
  const origin = originOf(row.url);
  const others = rules.seeds.filter((url) => url !== row.url && originOf(url) === origin);
  for (const url of others.slice(0, MAX_SEEDS)) {
    const seed = await store.findUrl(crawlerId, url);
    if (seed !== undefined && STANDING.has(seed.facts.state) && isAnswer(seed.facts.httpStatus)) return true;
  }
  return others.length === 0;
}

const STANDING: ReadonlySet<string> = new Set(['live', 'alias', 'duplicate', 'skipped']);

/** A seed that was never asked (robots) says nothing bad. */
function isAnswer(status: number | undefined): boolean {
  return status === undefined || status < 400;
}
