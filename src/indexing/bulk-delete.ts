import type { CompareOperator, FilterNode } from '../core/filters.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { DeleteDeps } from './delete-documents.ts';
import type { WriteTarget } from './put-documents.ts';

const PREDICATE_OPERATORS = [
  'eq',
  'in',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'exists',
  'notexists',
  'prefix',
  'contains',
] as const;
export type PredicateOperator = (typeof PREDICATE_OPERATORS)[number];

/** One predicate of bulk-delete; all must hold. Contract: 8.3. */
export type DeletePredicate = {
  readonly field: string;
  readonly operator: PredicateOperator;
  readonly values: readonly string[];
};

/** How long a deletion waits for the index to show all earlier writes before it reads the store instead. */
const VISIBLE_WITHIN_MS = 2_000;

/**
 * Deletes the documents of one crawler that fit every predicate; durable and all or nothing when it resolves.
 * The index names candidates, the store decides on the state at its commit. Contract: 8.3.
 */
export async function bulkDelete(
  deps: DeleteDeps & { readonly searchIndex: SearchIndex },
  { engine, crawler }: WriteTarget,
  predicates: readonly DeletePredicate[],
): Promise<{ readonly seq: number; readonly deleted: number }> {
  const { searchIndex, clock } = deps;
  const store = await deps.engineStores.of(engine.id);
  const filter: FilterNode = { kind: 'and', of: predicates.map(toFilter) };
  const seq = await store.lastSeq();
  const visible = await searchIndex.waitVisible(engine.id, seq, AbortSignal.timeout(VISIBLE_WITHIN_MS));
  // Without a current index every document of the crawler counts as changed, so the store judges each of them.
  const candidates = visible ? await searchIndex.matchingRids(engine.id, filter) : { seq: 0, rids: new Uint32Array(0) };
  const types = new Map((await searchIndex.fields(engine.id)).map(({ name, type }) => [name, type]));
  return store.deleteMatching(crawler.id, { candidates, filter, types }, clock.now());
}

function toFilter({ field: sentField, operator, values }: DeletePredicate): FilterNode {
  const field = sentField === 'id' ? 'Id' : sentField;
  switch (operator) {
    case 'in':
      return { kind: 'compare', field, operator: 'eq', values };
    case 'ne':
      return { kind: 'and', of: [{ kind: 'exists', field }, compare(field, 'ne', values)] };
    case 'exists':
      return { kind: 'exists', field };
    case 'notexists':
      return { kind: 'not', of: { kind: 'exists', field } };
    case 'prefix':
    case 'contains':
      return { kind: 'text', field, operator, values };
    default:
      return compare(field, operator, values);
  }
}

function compare(field: string, operator: CompareOperator, values: readonly string[]): FilterNode {
  return { kind: 'compare', field, operator, values };
}
