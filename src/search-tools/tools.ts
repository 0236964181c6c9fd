import { AppError } from '../core/errors.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { SynonymGroup, ToolDrafts, ToolKey, ToolKind, ToolRecords, ToolStore } from '../storage/system/tools.ts';

type Accounts = Pick<AccountStore, 'findEngine'>;
type ToolDeps<Name extends keyof ToolStore> = {
  readonly accounts: Accounts;
  readonly systemStore: Pick<ToolStore, Name>;
};

type NewTool<Kind extends ToolKind> = {
  readonly kind: Kind;
  readonly customerId: number;
  /** Id that a ranking or quicklink was sent with. That of an own record replaces it, another is ignored. */
  readonly sentId: number | undefined;
  readonly draft: ToolDrafts[Kind];
};

/**
 * Stores a banner, ranking or quicklink. Contract: 10.1.
 * @throws AppError `auth.forbidden` when it names an engine that is not the customer's.
 */
export async function createTool<Kind extends ToolKind>(
  { accounts, systemStore }: ToolDeps<'addTool' | 'replaceTool'>,
  { kind, customerId, sentId, draft }: NewTool<Kind>,
): Promise<ToolRecords[Kind]> {
  await requireOwnEngines(accounts, customerId, draft);
  const replaced =
    sentId === undefined ? undefined : await systemStore.replaceTool(kind, { customerId, id: sentId }, draft);
  return replaced ?? (await systemStore.addTool(kind, customerId, draft));
}

/**
 * Replaces a whole record. Contract: 10.1.
 * @throws AppError `auth.forbidden` as `createTool`, `record.not-found`
 */
export async function replaceTool<Kind extends ToolKind>(
  { accounts, systemStore }: ToolDeps<'replaceTool'>,
  { kind, key, draft }: { readonly kind: Kind; readonly key: ToolKey; readonly draft: ToolDrafts[Kind] },
): Promise<ToolRecords[Kind]> {
  await requireOwnEngines(accounts, key.customerId, draft);
  const stored = await systemStore.replaceTool(kind, key, draft);
  if (stored === undefined) throw new AppError('record.not-found', 'There is no such record');
  return stored;
}

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

type SynonymDeps<Name extends keyof ToolStore> = { readonly systemStore: Pick<ToolStore, Name> };

type GroupDraft = Omit<SynonymGroup, 'id'>;

/** Stores a group with its words trimmed, without repeated or blank ones. Contract: 10.3. */
export async function createSynonymGroup(
  { systemStore }: SynonymDeps<'addSynonymGroup'>,
  draft: GroupDraft,
): Promise<SynonymGroup> {
  return systemStore.addSynonymGroup({ ...draft, words: distinctWords(draft.words) });
}

/** Replaces words and language. @throws AppError `record.not-found` */
export async function replaceSynonymGroup(
  { systemStore }: SynonymDeps<'replaceSynonymGroup'>,
  group: SynonymGroup,
): Promise<SynonymGroup> {
  const stored = await systemStore.replaceSynonymGroup({ ...group, words: distinctWords(group.words) });
  if (stored === undefined) throw new AppError('record.not-found', 'There is no such synonym group');
  return stored;
}

/** Removes the groups of the customer, each named once. Both lists are in the order asked. */
export async function removeSynonymGroups(
  { systemStore }: SynonymDeps<'removeSynonymGroups'>,
  { customerId, ids }: { readonly customerId: number; readonly ids: readonly number[] },
): Promise<{ readonly deleted: readonly number[]; readonly notFound: readonly number[] }> {
  const uniqueIds = [...new Set(ids)];
  const removed = new Set(await systemStore.removeSynonymGroups(customerId, uniqueIds));
  return { deleted: uniqueIds.filter((id) => removed.has(id)), notFound: uniqueIds.filter((id) => !removed.has(id)) };
}

/** The first spelling of each word stays. */
function distinctWords(words: readonly string[]): readonly string[] {
  const byFolded = new Map<string, string>();
  for (const word of words.map((sent) => sent.trim())) {
    const folded = word.toLowerCase();
    if (word !== '' && !byFolded.has(folded)) byFolded.set(folded, word);
  }
  return [...byFolded.values()];
}
