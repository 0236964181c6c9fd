import { isDeepStrictEqual } from 'node:util';
import { SHOWN_SECRET } from '../core/crawler-secrets.ts';
import type { Crawler, Engine } from '../core/records.ts';
import type { AccountStore, Actor, AuditEntry } from '../storage/system/accounts.ts';
import { requireRecord } from './account-change.ts';

type Members = Readonly<Record<string, unknown>>;

export type SettingChange = {
  /** `limits.depth` */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** One change of the settings of a record. Secrets are shown as `set`. */
export type HistoryEntry = {
  readonly id: number;
  readonly at: number;
  readonly actor: Actor;
  /** It made the record: nothing was there before. */
  readonly isFirst: boolean;
  readonly changes: readonly SettingChange[];
};

export type PastRecord = HistoryEntry & {
  /** Name and settings as they were after the change. */
  readonly record: Members;
  /** What brings them back (RFC 7396). Secrets are left out: they stay as they are. */
  readonly patch: Members;
};

export type HistoryOf =
  | { readonly kind: 'crawler'; readonly record: Crawler }
  | { readonly kind: 'engine'; readonly record: Engine };

type Deps = { readonly store: Pick<AccountStore, 'listAuditOf'> };

/** Changes that are looked through for what a record was like. */
const MOST_CHANGES = 1_000;

/** How the settings of a record became what they are, newest first. */
export async function listHistory(
  { store }: Deps,
  of: HistoryOf,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<readonly HistoryEntry[]> {
  return (await store.listAuditOf({ ...auditOf(of), limit, before })).map(entryOf);
}

/** What the record was like after a change. @throws AppError `record.not-found` */
export async function findPastRecord({ store }: Deps, of: HistoryOf, entryId: number): Promise<PastRecord> {
  const entries = await store.listAuditOf({ ...auditOf(of), limit: MOST_CHANGES, before: entryId + 1 });
  const [entry] = entries;
  const found = requireRecord('change', entryId, entry?.id === entryId ? entry : undefined);
  const present = storedMembers(of);
  // A change tells what it changed; the rest is as the changes before it left it.
  const past = Object.keys(present).map((name) => {
    const last = entries.find(({ after }) => after !== undefined && name in after);
    return [name, last?.after?.[name] ?? present[name]];
  });
  const record = flatten(Object.fromEntries(past));
  return { ...entryOf(found), record, patch: patchTo(flatten(present), record) };
}

function auditOf({ kind, record }: HistoryOf) {
  return { target: `${kind}:${record.id}`, action: `put-${kind}` };
}

function entryOf({ id, at, actor, before, after }: AuditEntry): HistoryEntry {
  const changes = before === undefined ? [] : changesBetween(flatten(before), flatten(after ?? {}), '');
  return { id, at, actor, isFirst: before === undefined, changes };
}

/** By the names that the audit log has for them. */
function storedMembers({ kind, record }: HistoryOf): Members {
  if (kind === 'crawler') return { name: record.name, config: record.config };
  const { name, language, settings, publicSettings } = record;
  return { name, language, settings, publicSettings };
}

/** Settings stand beside the name, as the admin API shows them; what no operator sets is left out. */
function flatten({ name, language, publicSettings, config, settings }: Members): Members {
  return {
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language }),
    ...(config as Members | undefined),
    ...(settings as Members | undefined),
    ...(publicSettings !== undefined && { publicSettings }),
  };
}

function changesBetween(before: Members, after: Members, prefix: string): readonly SettingChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (isDeepStrictEqual(old, now)) return [];
    const path = `${prefix}${name}`;
    return isMembers(old) && isMembers(now)
      ? changesBetween(old, now, `${path}.`)
      : [{ path, before: old, after: now }];
  });
}

/** A merge patch from one to the other. */
function patchTo(present: Members, wanted: Members): Members {
  const names = new Set([...Object.keys(present), ...Object.keys(wanted)]);
  const members = [...names].flatMap((name): [string, unknown][] => {
    const [now, then] = [present[name], wanted[name]];
    if (isDeepStrictEqual(now, then) || then === SHOWN_SECRET) return [];
    return [[name, isMembers(now) && isMembers(then) ? patchTo(now, then) : (then ?? null)]];
  });
  return Object.fromEntries(members);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
