import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../core/errors.ts';
import { jsonRows } from '../sql/dialect.ts';
import { execute, fetchAll, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import { addAuditRow } from './audit.ts';
import type {
  BrokenTargets,
  BrokenTool,
  Pin,
  RankingDraft,
  ToolChange,
  ToolDrafts,
  ToolKey,
  ToolKind,
  ToolRecords,
} from './tools.ts';

const SHAPES = {
  banner: { table: 'banners', terms: 'banner_terms', pins: undefined },
  ranking: { table: 'rankings', terms: 'ranking_terms', pins: 'ranking_pages' },
  quicklink: { table: 'quicklinks', terms: 'quicklink_terms', pins: undefined },
  'hidden-page': { table: 'hidden_pages', terms: undefined, pins: undefined },
} as const;

type AnyTool = ToolRecords[ToolKind];
type AnyDraft = ToolDrafts[ToolKind] & {
  readonly terms?: RankingDraft['terms'];
  readonly pins?: RankingDraft['pins'];
};

/** Write operation: the stored record. */
export function* addTool<Kind extends ToolKind>(
  kind: Kind,
  draft: ToolDrafts[Kind],
  change: ToolChange & { readonly customerId: number },
): Operation<ToolRecords[Kind]> {
  const { customerId } = change;
  const { row, parts } = splitDraft(draft, change);
  const id = (yield* execute(systemSql.insertInto(tableOf(kind)).values({ ...row, customer_id: customerId }))).lastId;
  yield* writeParts(kind, id, parts);
  const [after] = yield* readTools(kind, { customerId, id });
  yield* audit(change, { kind, action: 'add', after });
  return after as ToolRecords[Kind];
}

/** Write operation: the stored record, undefined when the one to replace does not exist. */
export function* replaceTool<Kind extends ToolKind>(
  kind: Kind,
  { customerId, id, draft }: ToolKey & { readonly draft: ToolDrafts[Kind] },
  change: ToolChange,
): Operation<ToolRecords[Kind] | undefined> {
  const [before] = yield* readTools(kind, { customerId, id });
  if (before === undefined) return undefined;
  requireUnchanged(NOUNS[kind], before, change.seen);
  const { row, parts } = splitDraft(draft, change);
  yield* execute(
    systemSql
      .updateTable(tableOf(kind))
      .set({ ...row, broken: null })
      .where('id', '=', id),
  );
  yield* writeParts(kind, id, parts);
  const [after] = yield* readTools(kind, { customerId, id });
  yield* audit(change, { kind, action: 'change', before, after });
  return after;
}

/** Write operation: true when there was one. */
export function* removeTool(kind: ToolKind, key: ToolKey, change: ToolChange): Operation<boolean> {
  const [before] = yield* readTools(kind, key);
  if (before === undefined) return false;
  requireUnchanged(NOUNS[kind], before, change.seen);
  yield* execute(systemSql.deleteFrom(tableOf(kind)).where('id', '=', key.id));
  yield* writeParts(kind, key.id, { terms: [], pins: [] });
  yield* audit(change, { kind, action: 'remove', before });
  return true;
}

/** Write operation. Rows that stay as they are are not written, so that what is read from memory stays there. */
export function* noteBrokenTools(engineId: number, broken: readonly BrokenTool[], at: number): Operation<void> {
  for (const kind of Object.keys(SHAPES) as ToolKind[]) {
    const found = new Map(broken.filter((tool) => tool.kind === kind).map(({ id, targets }) => [id, targets]));
    const tools = systemSql.selectFrom(tableOf(kind)).select(['id', 'broken']).where('engine_id', '=', engineId);
    for (const row of yield* fetchAll(tools)) {
      const present = brokenOf(row.broken);
      const targets = found.get(row.id);
      const now = targets === undefined ? null : JSON.stringify({ foundAt: present?.foundAt ?? at, targets });
      if (now === row.broken) continue;
      yield* execute(systemSql.updateTable(tableOf(kind)).set({ broken: now }).where('id', '=', row.id));
    }
  }
  const check = systemSql
    .insertInto('tool_checks')
    .values({ engine_id: engineId, checked_at: at })
    .onConflict((conflict) => conflict.column('engine_id').doUpdateSet({ checked_at: at }));
  yield* execute(check);
}

/** Read operation. */
export function* countBrokenTools(): Operation<{ engineId: number; tools: number }[]> {
  const counts = new Map<number, number>();
  for (const kind of Object.keys(SHAPES) as ToolKind[]) {
    const broken = systemSql
      .selectFrom(tableOf(kind))
      .select(({ fn }) => ['engine_id as engineId', fn.countAll<number>().as('tools')])
      .where('broken', 'is not', null)
      .groupBy('engine_id');
    for (const { engineId, tools } of yield* fetchAll(broken)) {
      counts.set(engineId, (counts.get(engineId) ?? 0) + tools);
    }
  }
  const engines = [...counts].map(([engineId, tools]) => ({ engineId, tools }));
  return engines.sort((a, b) => a.engineId - b.engineId);
}

type Wanted = { readonly customerId: number; readonly id?: number; readonly engineId?: number };

/** One statement, so that a record and its parts are of one state. */
export function* readTools<Kind extends ToolKind>(kind: Kind, input: Wanted): Operation<ToolRecords[Kind][]> {
  const { table, terms, pins } = SHAPES[kind];
  let query = systemSql
    .selectFrom(tableOf(kind))
    .select(['id', 'customer_id as customerId', 'engine_id as engineId', 'record', 'managed_by as managedBy', 'broken'])
    .select([partsOf(terms, table).as('terms'), partsOf(pins, table).as('pins')])
    .where('customer_id', '=', input.customerId)
    .orderBy('id');
  if (input.id !== undefined) query = query.where('id', '=', input.id);
  if (input.engineId !== undefined) query = query.where('engine_id', '=', input.engineId);
  return (yield* fetchAll(query)).map(({ record, terms, pins, managedBy, broken, ...ids }) => {
    const parts = {
      ...(terms !== null && { terms: rowsOf(terms).map(({ id, value }) => ({ id, name: value })) }),
      ...(pins !== null && { pins: rowsOf(pins).map(pinOf) }),
    };
    const state = { managedBy: managedBy ?? undefined, broken: brokenOf(broken) };
    return { ...JSON.parse(record), ...ids, ...parts, ...state } as ToolRecords[Kind];
  });
}

/** @throws AppError `record.changed` when there is another record now than the one that a change was made from */
export function requireUnchanged(noun: string, present: Versioned, seen: object | undefined): void {
  if (seen === undefined || versionOf(present) === versionOf(seen)) return;
  throw new AppError('record.changed', `Somebody else changed this ${noun} in the meantime: look at it and try again`);
}

type Versioned = { readonly id: number };

/** What a check found is no change of a record. */
function versionOf(record: object): string {
  return JSON.stringify({ ...record, broken: undefined });
}

const NOUNS = {
  banner: 'banner',
  ranking: 'ranking',
  quicklink: 'quicklink',
  'hidden-page': 'hidden page',
} as const satisfies Record<ToolKind, string>;

/** The tables have the same columns, so the builder is typed with one of them. */
function tableOf(kind: ToolKind): 'banners' {
  return SHAPES[kind].table as 'banners';
}

function splitDraft(draft: AnyDraft, { managedBy }: ToolChange) {
  const { engineId, terms = [], pins = [], ...record } = draft;
  return {
    row: { engine_id: engineId, record: JSON.stringify(record), managed_by: managedBy ?? null },
    parts: {
      terms: terms.map(({ id: wantedId, name }) => ({ wantedId, value: name })),
      pins: pins.map(({ id: wantedId, ...pin }) => ({ wantedId, value: JSON.stringify(pin) })),
    },
  };
}

function brokenOf(json: string | null): BrokenTargets | undefined {
  return json === null ? undefined : (JSON.parse(json) as BrokenTargets);
}

/** JSON of the parts in order, SQL `NULL` for a kind without such parts. */
function partsOf(part: string | undefined, table: string): RawBuilder<string | null> {
  if (part === undefined) return sql`NULL`;
  return sql`(SELECT ${jsonRows(sql.ref('part.id'), sql.ref('part.value'), sql.ref('part.position'))}
    FROM ${sql.table(part)} AS part WHERE part.parent_id = ${sql.ref(`${table}.id`)})`;
}

/** A term or pin of a tool: text of the term, or JSON of the pin. */
type PartRow = { readonly id: number; readonly value: string };

function rowsOf(json: string): readonly PartRow[] {
  return JSON.parse(json) as readonly PartRow[];
}

function pinOf({ id, value }: PartRow): Pin {
  return { ...(JSON.parse(value) as Omit<Pin, 'id'>), id };
}

/** In order. `wantedId` is kept when the tool has a part of that id; each id is given once. */
type WantedPart = { readonly wantedId: number | undefined; readonly value: string };
type WantedParts = { readonly terms: readonly WantedPart[]; readonly pins: readonly WantedPart[] };

/** Makes the parts of one tool exactly these, inside the caller's transaction. */
function* writeParts(kind: ToolKind, parentId: number, parts: WantedParts): Operation<void> {
  for (const member of ['terms', 'pins'] as const) {
    // The tables have the same columns, so the builder is typed with one of them.
    const table = SHAPES[kind][member] as 'banner_terms' | undefined;
    if (table === undefined) continue;
    const owned = systemSql.selectFrom(table).select('id').where('parent_id', '=', parentId);
    const free = new Set((yield* fetchAll(owned)).map(({ id }) => id));
    for (const [position, { wantedId, value }] of parts[member].entries()) {
      if (wantedId !== undefined && free.delete(wantedId)) {
        yield* execute(systemSql.updateTable(table).set({ position, value }).where('id', '=', wantedId));
      } else {
        yield* execute(systemSql.insertInto(table).values({ parent_id: parentId, position, value }));
      }
    }
    for (const id of free) yield* execute(systemSql.deleteFrom(table).where('id', '=', id));
  }
}

type Audited = {
  readonly kind: ToolKind;
  readonly action: 'add' | 'change' | 'remove';
  readonly before?: AnyTool | undefined;
  readonly after?: AnyTool | undefined;
};

function* audit({ actor, at }: ToolChange, { kind, action, before, after }: Audited): Operation<void> {
  const members = { ...(before && { before: auditedMembers(before) }), ...(after && { after: auditedMembers(after) }) };
  if (before !== undefined && after !== undefined && sameText(members.before, members.after)) return;
  const { engineId, id } = (after ?? before) as AnyTool;
  yield* addAuditRow({
    at,
    actor,
    action: `${action}-${kind}`,
    target: `engine:${engineId}/${kind}:${id}`,
    ...members,
  });
}

function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A row of the log is for people: of a longer text they get the beginning. */
const MAX_AUDITED_CHARS = 10_000;

/** Words in place of ids. */
function auditedMembers(tool: AnyTool): Readonly<Record<string, unknown>> {
  const { id: _, customerId: __, broken: ___, ...members } = tool;
  return {
    ...members,
    ...('terms' in tool && { terms: tool.terms.map(({ name }) => name) }),
    ...('html' in tool && { html: tool.html.slice(0, MAX_AUDITED_CHARS) }),
    ...('pins' in tool && {
      pins: tool.pins.map(({ rank, shown, page: { documentId, url } }) => ({
        ...(shown ? { rank } : { hidden: true }),
        documentId,
        url,
      })),
    }),
  };
}
