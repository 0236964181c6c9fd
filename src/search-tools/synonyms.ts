import { AppError } from '../core/errors.ts';
import type { SynonymGroup, ToolStore } from '../storage/tool-store.ts';

type Deps<Name extends keyof ToolStore> = { readonly systemStore: Pick<ToolStore, Name> };

type GroupDraft = Omit<SynonymGroup, 'id'>;

/** Stores a group with its words trimmed, without repeated or blank ones. Contract: 10.3. */
export async function createSynonymGroup(
  { systemStore }: Deps<'addSynonymGroup'>,
  draft: GroupDraft,
): Promise<SynonymGroup> {
  return systemStore.addSynonymGroup({ ...draft, words: distinctWords(draft.words) });
}

/** Replaces words and language. @throws AppError `record.not-found` */
export async function replaceSynonymGroup(
  { systemStore }: Deps<'replaceSynonymGroup'>,
  group: SynonymGroup,
): Promise<SynonymGroup> {
  const stored = await systemStore.replaceSynonymGroup({ ...group, words: distinctWords(group.words) });
  if (stored === undefined) throw new AppError('record.not-found', 'There is no such synonym group');
  return stored;
}

/** Removes the groups of the customer, each named once. Both lists are in the order asked. */
export async function removeSynonymGroups(
  { systemStore }: Deps<'removeSynonymGroups'>,
  { customerId, ids }: { readonly customerId: number; readonly ids: readonly number[] },
): Promise<{ readonly deleted: readonly number[]; readonly notFound: readonly number[] }> {
  const asked = [...new Set(ids)];
  const removed = new Set(await systemStore.removeSynonymGroups(customerId, asked));
  return { deleted: asked.filter((id) => removed.has(id)), notFound: asked.filter((id) => !removed.has(id)) };
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
