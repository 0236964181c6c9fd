import type { Problem } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { FilterEntry } from './filter-grammar.ts';
import { RELEVANCE_FIELDS } from './plan-query.ts';
import type { SearchRequest } from './search-request.ts';

/** What every document has, usable in either mode. */
const SYSTEM_FIELDS: readonly string[] = ['Id', '_type'];

/** In strict mode: a filter, facet, range facet, boost or sort on a field that is not enabled. Contract: 1.10. */
export function disabledFieldProblems(request: SearchRequest, engine: Engine): readonly Problem[] {
  return engine.settings.fieldMode === 'auto' ? [] : disabledProblems(namedFields(request), engine);
}

/** The same for a member of another request. */
export function disabledProblems(named: readonly NamedField[], { settings }: Engine): readonly Problem[] {
  if (settings.fieldMode === 'auto') return [];
  const enabled = new Set([
    ...settings.enabledFields,
    ...SYSTEM_FIELDS,
    ...settings.facets.flatMap(({ name, field }) => [name, field]),
  ]);
  return named
    .filter(({ field }) => !enabled.has(field))
    .map(({ member, field }) => ({
      path: `${member}.${field}`,
      message: `The field "${shortened(field)}" in "${member}" is not enabled on this engine`,
    }));
}

/** A field as a member of a request names it. */
export type NamedField = { readonly member: string; readonly field: string };

function namedFields(request: SearchRequest): readonly NamedField[] {
  const { facets, advancedPostFilter } = request;
  const entries = (member: string, input: readonly FilterEntry[]) => input.map(({ field }) => ({ member, field }));
  const named = (member: string, fields: readonly string[]) => fields.map((field) => ({ member, field }));
  return [
    ...entries('filters', request.filters),
    ...entries('notFilters', request.notFilters),
    ...entries('postFilters', request.postFilters),
    ...named('advancedPostFilter', advancedPostFilter?.fields ?? []),
    ...named('facets', facets.kind === 'configured' ? [] : facets.names),
    ...entries('facets', facets.kind === 'narrowed' ? facets.entries : []),
    ...named(
      'rangeFacets',
      request.rangeFacets.map(({ field }) => field),
    ),
    ...named(
      'valueBoost',
      request.boosts.map(({ field }) => field),
    ),
    ...named(
      'sort',
      request.sort.map(({ field }) => field).filter((field) => !RELEVANCE_FIELDS.includes(field)),
    ),
  ];
}

/** Text of the caller is repeated up to 100 characters (contract 1.7). */
function shortened(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99).toWellFormed()}…`;
}
