import type { Facet } from '../../../packages/client/src/index.ts';
import type { Language } from '../../messages/language.ts';
import { DATE_FIELD } from '../search-request.ts';

export const PERIOD_LABELS = {
  week: 'facets.pastWeek',
  month: 'facets.pastMonth',
  year: 'facets.pastYear',
} as const;

/** The name of a filter as people read it: that of its facet, else of its field. */
export function fieldLabel({ text }: Language, field: string, facets: Readonly<Record<string, Facet>>): string {
  if (field === '_type') return text('facets.kind');
  if (field === 'Language') return text('facets.language');
  if (field === DATE_FIELD) return text('facets.date');
  const [name = field] = Object.entries(facets).find(([, facet]) => facet.Field === field) ?? [];
  return name.replace(/_(number|date)$/, '').replaceAll('_', ' ');
}

export function valueLabel({ text, languageName }: Language, field: string, value: string): string {
  if (field === '_type') return text(value === 'FileContent' ? 'facets.files' : 'facets.pages');
  return field === 'Language' ? languageName(value) : value;
}
