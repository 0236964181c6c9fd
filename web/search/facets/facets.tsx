import { useEffect, useRef } from 'preact/hooks';
import type { Facet, SearchResponse } from '../../../packages/client/src/index.ts';
import { FacetGroup } from '../../parts/facet-group.tsx';
import { useLanguage } from '../../parts/language.ts';
import { DATE_FIELD } from '../search-request.ts';
import { chooseRange, countSelected, type SearchState, toggleValue, withoutFilters } from '../search-state.ts';
import { DateGroup } from './date-group.tsx';
import { fieldLabel, valueLabel } from './filter-labels.ts';
import { RangeForm } from './range-form.tsx';

/** Numbers that say nothing to visitors. */
const INNER_NUMBERS = /^(File_size|Page_count|Rating_count)_number$/;
const MOST_RANGES = 3;

type Narrowing = {
  readonly state: SearchState;
  readonly response: SearchResponse;
  readonly onPick: (state: SearchState) => void;
};

type Props = Narrowing & { readonly id: string; readonly isOpen: boolean };

/** The filters: a column on wide screens, folded away behind a button on narrow ones. */
export function Facets({ id, state, response, isOpen, onPick }: Props) {
  const language = useLanguage();
  const { text } = language;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) section.current?.focus();
  }, [isOpen]);
  const narrowing = { state, response, onPick };
  if (!hasFacets(narrowing)) return null;
  const rangeOf = (field: string) => state.ranges[field] ?? { from: '', to: '' };
  return (
    <section
      id={id}
      ref={section}
      tabIndex={-1}
      class={isOpen ? 'facets open' : 'facets'}
      aria-label={text('facets.label')}
    >
      {shownFacets(narrowing).map(([name, facet]) => (
        <FacetGroup
          key={name}
          facet={facet}
          label={fieldLabel(language, facet.Field, response.Facets)}
          labelOf={(value) => valueLabel(language, facet.Field, value)}
          selected={state.selected[facet.Field] ?? []}
          onToggle={(value) => onPick(toggleValue(state, facet.Field, value))}
        />
      ))}
      {hasDates(narrowing) && (
        <DateGroup
          counts={response.RangeFacets[DATE_FIELD] ?? []}
          range={rangeOf(DATE_FIELD)}
          onChoose={(range) => onPick(chooseRange(state, DATE_FIELD, range))}
        />
      )}
      {numberFields(narrowing).map((field) => (
        <fieldset key={field} class="facet">
          <legend>{fieldLabel(language, field, response.Facets)}</legend>
          <RangeForm
            type="number"
            range={rangeOf(field)}
            onChoose={(range) => onPick(chooseRange(state, field, range))}
          />
        </fieldset>
      ))}
      {countSelected(state) > 0 && (
        <button type="button" class="link" onClick={() => onPick(withoutFilters(state))}>
          {text('facets.clear')}
        </button>
      )}
    </section>
  );
}

export function hasFacets(narrowing: Narrowing): boolean {
  return shownFacets(narrowing).length > 0 || hasDates(narrowing) || numberFields(narrowing).length > 0;
}

/** Without those that leave no choice. */
function shownFacets({ state, response }: Narrowing): readonly (readonly [string, Facet])[] {
  return Object.entries(response.Facets).filter(
    ([, { Items, Field }]) => Items.length > 1 || state.selected[Field] !== undefined,
  );
}

function hasDates({ state, response }: Narrowing): boolean {
  return state.ranges[DATE_FIELD] !== undefined || (response.RangeFacets[DATE_FIELD]?.at(-1) ?? 0) > 0;
}

/** Numbers of the hits that are shown, and those that were chosen. */
function numberFields({ state, response }: Narrowing): readonly string[] {
  const known = response.TypedDocuments.flatMap(({ Fields }) => Object.keys(Fields)).filter(
    (field) => field.endsWith('_number') && !INNER_NUMBERS.test(field),
  );
  const chosen = Object.keys(state.ranges).filter((field) => field !== DATE_FIELD);
  return [...new Set([...chosen, ...known])].slice(0, MOST_RANGES);
}
