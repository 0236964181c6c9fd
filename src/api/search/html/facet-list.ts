import { escapeHtml } from '../../../core/escape-html.ts';
import type { Facet } from '../responses.ts';
import { labelsOf } from './labels.ts';
import { attribute } from './markup.ts';

export type FacetStyle = {
  readonly language: string;
  /** Values that the request narrows a facet to. */
  isSelected(facet: Facet, key: string): boolean;
  /** Whether several values of a facet may be chosen together. */
  allowsSeveral(facet: Facet): boolean;
};

type Facets = Readonly<Record<string, Facet>>;

/** Every facet that has values as a heading and a list. Contract: 2.11. */
export function facetLists(facets: Facets, style: FacetStyle): string {
  return Object.values(facets)
    .filter(({ Items }) => Items.length > 0)
    .map((facet) => facetSection(facet, style))
    .join('');
}

function facetSection(facet: Facet, style: FacetStyle): string {
  const { all } = labelsOf(style.language);
  const isCleared = facet.Items.every(({ Key }) => !style.isSelected(facet, Key));
  const clear = `<li>${facetLink(facet, { value: 'null', isSelected: isCleared, style })}${escapeHtml(all)}</a></li>`;
  const heading = `<h3 class="search_facet_name">${escapeHtml(facet.FieldName)}</h3>`;
  return `<div class="search_facet">${heading}<ul class="search_facet_list">${clear}${facetItems(facet, style)}</ul></div>`;
}

function facetItems(facet: Facet, style: FacetStyle): string {
  const items = facet.Items.map(({ Key, Count, Facets }) => {
    const link = facetLink(facet, { value: Key, isSelected: style.isSelected(facet, Key), style });
    const inner = facetLists(Facets, style);
    return `<li>${link}${escapeHtml(Key)} <span class="search_facet_count">${Count}</span></a>${inner}</li>`;
  });
  return items.join('');
}

type FacetLink = { readonly value: string; readonly isSelected: boolean; readonly style: FacetStyle };

/** The start tag. The facet goes by its field, which requests take for `facets` and `postFilters` alike. */
function facetLink(facet: Facet, { value, isSelected, style }: FacetLink): string {
  const several = style.allowsSeveral(facet) ? ' data-multifacet' : '';
  const selected = isSelected ? attribute('aria-current', 'true') : '';
  return `<a${attribute('data-facet-name', facet.Field)}${attribute('data-facet', value)}${several} href="#"${selected}>`;
}
