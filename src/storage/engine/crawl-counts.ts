import { sql } from 'kysely';
import { originOf, urlPattern, urlTemplateOf } from '../../core/url.ts';
import { executeEach, fetchFirst, fetchFirstOfEach, mapTogether, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import type { PlacedUrl } from './add-urls.ts';
import { hostIdOf, hostStatements } from './hosts.ts';
import { type PatternState, patternStatements } from './patterns.ts';

/** Counters of a run that writes add to; the columns of the same names. */
export const RUN_COUNTERS = [
  'open',
  'found',
  'visited',
  'added',
  'changed',
  'unchanged',
  'not_modified',
  'skipped',
  'failed',
  'rendered',
  'files',
  'bytes',
  'removed',
  'removals_held',
  'suspected',
] as const;
export type RunCounter = (typeof RUN_COUNTERS)[number];
type RunDelta = Record<RunCounter, number>;

export const countStatements = {
  addWaiting: statement<{ hostId: number; count: number }>((p) =>
    engineSql
      .updateTable('hosts')
      .set((row) => ({ waiting: row('waiting', '+', p.count) }))
      .where('id', '=', p.hostId),
  ),
  addToRun: statement<RunDelta & { runId: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set((row) => ({
        open: row('open', '+', p.open),
        found: row('found', '+', p.found),
        visited: row('visited', '+', p.visited),
        added: row('added', '+', p.added),
        changed: row('changed', '+', p.changed),
        unchanged: row('unchanged', '+', p.unchanged),
        not_modified: row('not_modified', '+', p.not_modified),
        skipped: row('skipped', '+', p.skipped),
        failed: row('failed', '+', p.failed),
        rendered: row('rendered', '+', p.rendered),
        files: row('files', '+', p.files),
        bytes: row('bytes', '+', p.bytes),
        removed: row('removed', '+', p.removed),
        removals_held: row('removals_held', '+', p.removals_held),
        suspected: row('suspected', '+', p.suspected),
        idle_since: sql<number | null>`CASE WHEN ${p.open} > 0 THEN NULL ELSE idle_since END`,
      }))
      .where('id', '=', p.runId),
  ),
};

/** Changes of `hosts.waiting`, run counters and patterns, gathered in a write and stored at its end; hosts that it met. */
export class CrawlCounts {
  readonly hosts = new HostIds();
  readonly patterns = new PatternCounts();
  private readonly waiting = new Map<number, number>();
  private readonly runs = new Map<number, RunDelta>();

  addWaiting(hostId: number, count: number): void {
    this.waiting.set(hostId, (this.waiting.get(hostId) ?? 0) + count);
  }

  add(runId: number, counter: RunCounter, count: number): void {
    const known = this.runs.get(runId);
    const delta = known ?? (Object.fromEntries(RUN_COUNTERS.map((name) => [name, 0])) as RunDelta);
    delta[counter] += count;
    if (known === undefined) this.runs.set(runId, delta);
  }

  /** What this write has added to a counter. */
  of(runId: number, counter: RunCounter): number {
    return this.runs.get(runId)?.[counter] ?? 0;
  }

  /** Rows on the frontier and visits that this write has added to the run, as they will stand in its row. */
  rowsAdded(runId: number): number {
    const delta = this.runs.get(runId);
    return delta === undefined ? 0 : delta.open + delta.visited;
  }

  *store(): Operation<void> {
    for (const [hostId, count] of this.waiting) {
      if (count !== 0) yield* submit(countStatements.addWaiting, { hostId, count });
    }
    yield* this.patterns.store();
    for (const [runId, delta] of this.runs) yield* submit(countStatements.addToRun, { runId, ...delta });
  }
}

/** Hosts of the new URLs of one write, looked up once each. */
class HostIds {
  private readonly ids = new Map<string, number>();

  /** A host that is known by its id. */
  *meet(id: number): Operation<void> {
    const host = yield* fetchFirst(hostStatements.origin, { id });
    if (host !== undefined) this.ids.set(host.origin, id);
  }

  /** URLs of one crawler, each with its host, which is made when there is none. */
  *find<Url extends PlacedUrl>(urls: readonly Url[]): Operation<readonly (Url & { readonly hostId: number })[]> {
    const crawlerId = urls[0]?.placement.crawlerId ?? 0;
    const origins = urls.map(({ url }) => originOf(url.url) ?? '');
    const unknown = [...new Set(origins)].filter((origin) => !this.ids.has(origin));
    const found = yield* mapTogether(unknown, (origin) => hostIdOf(crawlerId, origin));
    for (const [at, id] of found.entries()) this.ids.set(unknown[at] ?? '', id);
    return urls.map((url, at) => ({ ...url, hostId: this.ids.get(origins[at] ?? '') ?? 0 }));
  }
}

type PatternKey = { readonly hostId: number; readonly pattern: string };
type PatternOfTemplate = PatternKey & { readonly template: string };

/** Patterns of the new URLs of one write, looked up once each; what they count is stored at its end. */
class PatternCounts {
  private readonly states = new Map<string, PatternState>();
  private readonly known = new Map<number, number>();

  /** URLs, each with its pattern, which counts it. A new pattern of a closed URL template is closed with it. */
  *count<Url extends PlacedUrl & { readonly hostId: number }>(
    urls: readonly Url[],
  ): Operation<readonly (Url & { readonly pattern: PatternState })[]> {
    const of = urls.map(({ url, hostId }) => ({
      hostId,
      pattern: urlPattern(url.url),
      template: urlTemplateOf(url.url),
    }));
    const crawlerId = urls[0]?.placement.crawlerId ?? 0;
    yield* this.find(of);
    yield* this.add(crawlerId, of);
    return urls.map((url, at) => {
      const state = this.stateOf(of[at]);
      this.known.set(state.id, (this.known.get(state.id) ?? 0) + 1);
      return { ...url, pattern: state };
    });
  }

  *store(): Operation<void> {
    for (const [id, count] of this.known) yield* submit(patternStatements.addKnown, { id, count });
  }

  private *find(patterns: readonly PatternKey[]): Operation<void> {
    const unknown = this.unknownOf(patterns);
    const found = yield* fetchFirstOfEach(
      patternStatements.find,
      unknown.map(({ hostId, pattern }) => ({ hostId, pattern })),
    );
    for (const [at, of] of unknown.entries()) {
      const state = found[at];
      if (state !== undefined) this.states.set(keyOf(of), state);
    }
  }

  /** Those that are not known, and the URL templates that count them. */
  private *add(crawlerId: number, patterns: readonly PatternOfTemplate[]): Operation<void> {
    const fresh = this.unknownOf(patterns);
    if (fresh.length === 0) return;
    yield* this.insert(crawlerId, fresh);
    const members = fresh.filter(({ pattern, template }) => pattern !== template);
    const templates = members.map(({ hostId, template }) => ({ hostId, pattern: template }));
    yield* this.find(templates);
    yield* this.insert(crawlerId, templates);
    for (const member of members) {
      const state = this.stateOf(member);
      const joined = this.stateOf({ ...member, pattern: member.template });
      const { id: urlTemplateId, closed_at, close_rule } = joined;
      this.known.set(urlTemplateId, (this.known.get(urlTemplateId) ?? 0) + 1);
      yield* submit(patternStatements.join, { id: state.id, urlTemplateId, closedAt: closed_at, rule: close_rule });
      this.states.set(keyOf(member), { ...state, closed_at, close_rule });
    }
  }

  private *insert(crawlerId: number, patterns: readonly PatternKey[]): Operation<void> {
    const unknown = this.unknownOf(patterns);
    const inserted = yield* executeEach(
      patternStatements.insert,
      unknown.map(({ hostId, pattern }) => ({ crawlerId, hostId, pattern })),
    );
    for (const [at, of] of unknown.entries()) {
      this.states.set(keyOf(of), { ...NO_STATE, id: inserted[at]?.lastId ?? 0, pattern: of.pattern });
    }
  }

  private stateOf(of: PatternKey | undefined): PatternState {
    return (of && this.states.get(keyOf(of))) ?? NO_STATE;
  }

  /** Each once. */
  private unknownOf<Pattern extends PatternKey>(patterns: readonly Pattern[]): readonly Pattern[] {
    const unknown = new Map(patterns.map((of) => [keyOf(of), of]));
    return [...unknown].flatMap(([key, of]) => (this.states.has(key) ? [] : [of]));
  }
}

/** Of a pattern that was made just now. */
const NO_STATE: PatternState = { id: 0, pattern: '', quarantine: 0, closed_at: null, close_rule: null };

function keyOf({ hostId, pattern }: PatternKey): string {
  return `${hostId} ${pattern}`;
}
