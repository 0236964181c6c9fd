import type { FilterNode } from '../../../core/filters.ts';
import type { FacetRequest, MatchNode, QueryPlan } from '../../query-plan.ts';
import { textClassOf } from '../../relevance.ts';
import { queryWords, usesReranking } from '../../rerank.ts';

/** What a plan reads beside the heads of the segments. */
export type RequiredColumns = {
  readonly fields: ReadonlySet<string>;
  /** Fields whose values are read as texts, long ones too. */
  readonly texts: ReadonlySet<string>;
  readonly positions: boolean;
};

export function requiredColumnsOf(plan: QueryPlan): RequiredColumns {
  const fields = new Set<string>();
  const texts = new Set<string>();
  for (const filter of [plan.filter, plan.postFilter]) addFilter(filter, fields, texts);
  for (const { field } of [...plan.boosts, ...plan.ranges]) fields.add(field);
  for (const { field } of [...plan.sort, ...plan.topHits]) texts.add(field);
  for (const facet of plan.facets) addFacet(facet, texts);
  addMatch(plan.match, fields, texts);
  for (const field of texts) fields.add(field);
  const rerankWeights = usesReranking(plan) && queryWords(plan.match, plan.match).length > 0;
  if (rerankWeights && plan.recency !== undefined) fields.add(plan.recency.field);
  return { fields, texts, positions: rerankWeights || readsPositions(plan.match) };
}

export function requiredColumnsOfFilter(filter: FilterNode): RequiredColumns {
  const fields = new Set<string>();
  const texts = new Set<string>();
  addFilter(filter, fields, texts);
  return { fields: fields.union(texts), texts, positions: false };
}

function addFilter(filter: FilterNode, fields: Set<string>, texts: Set<string>): void {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return;
    case 'and':
    case 'or':
      for (const part of filter.of) addFilter(part, fields, texts);
      return;
    case 'not':
      addFilter(filter.of, fields, texts);
      return;
    case 'text':
      texts.add(filter.field);
      return;
    case 'compare':
      (filter.operator === 'eq' || filter.operator === 'ne' ? fields : texts).add(filter.field);
      return;
    default:
      fields.add(filter.field);
  }
}

/** Filters of the tree, and fields whose values patterns look at; titles and body text have lists of their own. */
function addMatch(node: MatchNode, fields: Set<string>, texts: Set<string>): void {
  switch (node.kind) {
    case 'filter':
      addFilter(node.filter, fields, texts);
      return;
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
      if (node.field !== undefined && !['a', 'c'].includes(textClassOf(node.field))) texts.add(node.field);
      return;
    case 'some':
      for (const part of [...node.must, ...node.should]) addMatch(part, fields, texts);
      return;
    case 'and':
    case 'or':
    case 'not':
      for (const part of node.of) addMatch(part, fields, texts);
      return;
    default:
  }
}

function addFacet({ field, facets }: FacetRequest, texts: Set<string>): void {
  texts.add(field);
  for (const nested of facets) addFacet(nested, texts);
}

function readsPositions(node: MatchNode): boolean {
  switch (node.kind) {
    case 'all':
    case 'none':
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
    case 'filter':
      return false;
    case 'word':
      return node.field !== undefined || node.also.some(({ words }) => words.length > 1);
    case 'phrase':
      return true;
    case 'some':
      return node.must.some(readsPositions) || node.should.some(readsPositions);
    default:
      return node.of.some(readsPositions);
  }
}
