import type { Clock } from '../core/clock.ts';
import { distinctWords } from '../core/distinct-words.ts';
import { AppError } from '../core/errors.ts';
import { refuseManaged } from '../core/managed-record.ts';
import type { AccountStore, Actor } from '../storage/system/accounts.ts';
import type { SynonymDraft, SynonymGroup, SynonymStore } from '../storage/system/synonym-groups.ts';
import type { ToolDrafts, ToolKind, ToolRecords, ToolStore } from '../storage/system/tools.ts';

type Accounts = Pick<AccountStore, 'findEngine'>;
export type ToolDeps<Name extends keyof ToolStore> = {
  readonly accounts: Accounts;
  readonly systemStore: Pick<ToolStore, Name>;
  readonly clock: Clock;
};

type NewTool<Kind extends ToolKind> = {
  readonly kind: Kind;
  readonly customerId: number;
  readonly actor: Actor;
  /** Id that a ranking or quicklink was sent with. That of an own record replaces it, another is ignored. */
  readonly sentId?: number | undefined;
  readonly draft: ToolDrafts[Kind];
};

/**
 * Stores a tool, and in the audit log who did it. Contract: 10.1.
 * @throws AppError `auth.forbidden` when it names an engine that is not the customer's · `record.managed`
 */
export async function createTool<Kind extends ToolKind>(
  deps: ToolDeps<'addTool' | 'findTool' | 'replaceTool'>,
  { kind, customerId, actor, sentId, draft }: NewTool<Kind>,
): Promise<ToolRecords[Kind]> {
  const present = sentId === undefined ? undefined : await deps.systemStore.findTool(kind, { customerId, id: sentId });
  if (present !== undefined) return replaceTool(deps, { kind, present, draft, actor });
  await requireOwnEngines(deps.accounts, customerId, draft);
  return deps.systemStore.addTool(kind, draft, { customerId, actor, at: deps.clock.now() });
}

type Present<Kind extends ToolKind> = {
  readonly kind: Kind;
  readonly present: ToolRecords[Kind];
  readonly actor: Actor;
  /** The change is of `present` only: one that came in between is not overwritten. */
  readonly isMatched?: boolean;
};

/**
 * Replaces a whole record. Contract: 10.1.
 * @throws AppError `auth.forbidden` as `createTool`, `record.not-found`, `record.managed`, `record.changed`
 */
export async function replaceTool<Kind extends ToolKind>(
  { accounts, systemStore, clock }: ToolDeps<'replaceTool'>,
  { kind, present, draft, actor, isMatched }: Present<Kind> & { readonly draft: ToolDrafts[Kind] },
): Promise<ToolRecords[Kind]> {
  const { customerId, id } = present;
  refuseManaged(NOUNS[kind], present);
  await requireOwnEngines(accounts, customerId, draft);
  const change = { actor, at: clock.now(), seen: isMatched ? present : undefined };
  const stored = await systemStore.replaceTool(kind, { customerId, id, draft }, change);
  if (stored === undefined) throw new AppError('record.not-found', `There is no such ${NOUNS[kind]}`);
  return stored;
}

/** @throws AppError `record.not-found`, `record.managed`, `record.changed` */
export async function removeTool<Kind extends ToolKind>(
  { systemStore, clock }: Pick<ToolDeps<'removeTool'>, 'systemStore' | 'clock'>,
  { kind, present, actor, isMatched }: Present<Kind>,
): Promise<void> {
  const { customerId, id } = present;
  refuseManaged(NOUNS[kind], present, 'remove it');
  const change = { actor, at: clock.now(), seen: isMatched ? present : undefined };
  const wasThere = await systemStore.removeTool(kind, { customerId, id }, change);
  if (!wasThere) throw new AppError('record.not-found', `There is no such ${NOUNS[kind]}`);
}

export const NOUNS = {
  banner: 'banner',
  ranking: 'ranking',
  quicklink: 'quicklink',
  'hidden-page': 'hidden page',
} as const satisfies Record<ToolKind, string>;

async function requireOwnEngines(accounts: Accounts, customerId: number, draft: ToolDrafts[ToolKind]): Promise<void> {
  for (const engineId of enginesOf(draft)) {
    const engine = await accounts.findEngine(engineId);
    if (engine?.customerId !== customerId) {
      throw new AppError('auth.forbidden', `Engine ${engineId} is not one of the customer's engines`);
    }
  }
}

function enginesOf(draft: ToolDrafts[ToolKind]): ReadonlySet<number> {
  const further = 'engineIds' in draft ? draft.engineIds : [];
  const pins = 'pins' in draft ? draft.pins.flatMap((pin) => [pin.engineId, pin.page.engineId]) : [];
  return new Set([draft.engineId, ...further, ...pins]);
}

type SynonymDeps<Name extends keyof SynonymStore> = {
  readonly systemStore: Pick<SynonymStore, Name>;
  readonly clock: Clock;
};

/** Stores a group with its words trimmed, without repeated or blank ones. Contract: 10.3. */
export async function createSynonymGroup(
  { systemStore, clock }: SynonymDeps<'addSynonymGroup'>,
  { actor, ...group }: SynonymDraft & { readonly actor: Actor },
): Promise<SynonymGroup> {
  return systemStore.addSynonymGroup({ ...group, words: distinctWords(group.words) }, { actor, at: clock.now() });
}

type PresentGroup = { readonly present: SynonymGroup; readonly actor: Actor; readonly isMatched?: boolean };

/** Replaces words and language. @throws AppError `record.not-found`, `record.managed`, `record.changed` */
export async function replaceSynonymGroup(
  { systemStore, clock }: SynonymDeps<'replaceSynonymGroup'>,
  { present, actor, isMatched, ...group }: PresentGroup & Pick<SynonymDraft, 'language' | 'words'>,
): Promise<SynonymGroup> {
  refuseManaged('synonym group', present);
  const { id, customerId } = present;
  const change = { actor, at: clock.now(), seen: isMatched ? present : undefined };
  const words = distinctWords(group.words);
  const stored = await systemStore.replaceSynonymGroup({ id, customerId, language: group.language, words }, change);
  if (stored === undefined) throw new AppError('record.not-found', 'There is no such synonym group');
  return stored;
}

type RemovedGroups = {
  readonly customerId: number;
  readonly ids: readonly number[];
  readonly actor: Actor;
  /** The only version of a group that may be removed. */
  readonly seen?: SynonymGroup | undefined;
};

/**
 * Removes the groups of the customer, each named once. Both lists are in the order asked.
 * @throws AppError `record.managed` for any of them, and `record.changed`; then none is removed
 */
export async function removeSynonymGroups(
  { systemStore, clock }: SynonymDeps<'removeSynonymGroups' | 'listSynonymGroups'>,
  { customerId, ids, actor, seen }: RemovedGroups,
): Promise<{ readonly deleted: readonly number[]; readonly notFound: readonly number[] }> {
  const uniqueIds = [...new Set(ids)];
  const named = new Set(uniqueIds);
  for (const group of await systemStore.listSynonymGroups(customerId)) {
    if (named.has(group.id)) refuseManaged('synonym group', group, 'remove it');
  }
  const removed = new Set(
    await systemStore.removeSynonymGroups(customerId, uniqueIds, { actor, at: clock.now(), seen }),
  );
  return { deleted: uniqueIds.filter((id) => removed.has(id)), notFound: uniqueIds.filter((id) => !removed.has(id)) };
}
