import type { Operation } from '../sql/operation.ts';
import { addTool, removeTool, replaceTool } from './change-tools.ts';
import { type ChangeOf, notFound, type Write } from './record-checks.ts';
import { addSynonymGroup, removeSynonymGroups, replaceSynonymGroup } from './synonym-groups.ts';

type ToolRecordChange = ChangeOf<'put-tool' | 'remove-tool' | 'put-synonyms' | 'remove-synonyms'>;

/** Part of a write: search tools among the records of a provision file. */
export function* changeToolRecord(write: Write, change: ToolRecordChange): Operation<number> {
  switch (change.kind) {
    case 'put-tool':
      return yield* putTool(write, change);
    case 'put-synonyms':
      return yield* putSynonyms(write, change);
    case 'remove-tool': {
      const { tool, customerId, id } = change;
      if (!(yield* removeTool(tool, { customerId, id }, write))) throw notFound('Search tool', id);
      return id;
    }
    case 'remove-synonyms': {
      const removed = yield* removeSynonymGroups(change.customerId, [change.id], write);
      if (removed.length === 0) throw notFound('Synonym group', change.id);
      return change.id;
    }
  }
}

function* putTool(write: Write, { tool, customerId, id, draft, managedBy }: ChangeOf<'put-tool'>): Operation<number> {
  if (id === undefined) return (yield* addTool(tool, draft, { ...write, customerId, managedBy })).id;
  const stored = yield* replaceTool(tool, { customerId, id, draft }, { ...write, managedBy });
  if (stored === undefined) throw notFound('Search tool', id);
  return id;
}

function* putSynonyms(write: Write, change: ChangeOf<'put-synonyms'>): Operation<number> {
  const { customerId, id, language, words, managedBy } = change;
  const group = { customerId, language, words };
  if (id === undefined) return (yield* addSynonymGroup(group, { ...write, managedBy })).id;
  const stored = yield* replaceSynonymGroup({ ...group, id }, { ...write, managedBy });
  if (stored === undefined) throw notFound('Synonym group', id);
  return id;
}
