import { useId } from 'preact/hooks';
import {
  DEFAULT_PALETTES,
  FONT_STACKS,
  PAGE_DENSITIES,
  PAGE_RADII,
  PAGE_SCHEMES,
} from '../../../../src/core/page-theme.ts';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { COLOURS, type Colour } from './page-draft.ts';
import type { DraftProps } from './page-fields.tsx';

const COLOUR_LABELS: Readonly<Record<Colour, string>> = {
  accent: 'Buttons and marks',
  background: 'Ground of the page',
  text: 'Texts',
  surface: 'Cards and boxes',
};

function choices<Value extends string>(values: readonly Value[], labels: Readonly<Record<Value, string>>) {
  return values.map((value) => ({ value, label: labels[value] }));
}

/** Colours, font and form of the page. */
export function LooksFields({ draft, set, problemOf }: DraftProps) {
  return (
    <>
      <TextField
        label="Logo"
        hint="An https address, or a path of this host such as /logo.svg."
        value={draft.logo}
        problem={problemOf('page.theme.logo')}
        onInput={(logo) => set({ logo })}
      />
      <SelectField
        label="Light or dark"
        value={draft.scheme}
        options={choices(PAGE_SCHEMES, { auto: 'As the visitor has it', light: 'Light', dark: 'Dark' })}
        onChange={(scheme) => set({ scheme })}
      />
      <div class="palettes">
        {(['light', 'dark'] as const).map((scheme) => (
          <fieldset key={scheme} class="field">
            <legend>{scheme === 'light' ? 'Colours, light' : 'Colours, dark'}</legend>
            {COLOURS.map((colour) => (
              <ColourField
                key={colour}
                label={COLOUR_LABELS[colour]}
                value={draft[scheme][colour]}
                usual={DEFAULT_PALETTES[scheme][colour]}
                problem={problemOf(`page.theme.${scheme}.${colour}`)}
                onInput={(value) => set({ [scheme]: { ...draft[scheme], [colour]: value } })}
              />
            ))}
          </fieldset>
        ))}
      </div>
      <TextField
        label="Font"
        hint={`${FONT_STACKS.join(', ')}, or names of fonts that visitors have, with commas between them.`}
        value={draft.font}
        problem={problemOf('page.theme.font')}
        onInput={(font) => set({ font })}
      />
      <div class="cards">
        <SelectField
          label="Corners"
          value={draft.radius}
          options={choices(PAGE_RADII, { none: 'Square', small: 'Slightly round', large: 'Round' })}
          onChange={(radius) => set({ radius })}
        />
        <SelectField
          label="Density"
          value={draft.density}
          options={choices(PAGE_DENSITIES, { compact: 'Compact', comfortable: 'Comfortable' })}
          onChange={(density) => set({ density })}
        />
      </div>
    </>
  );
}

type ColourProps = {
  readonly label: string;
  readonly value: string;
  /** Shown where nothing is set. */
  readonly usual: string;
  readonly problem: string | undefined;
  readonly onInput: (value: string) => void;
};

/** A colour by the picker of the browser or as `#rrggbb`; empty: the usual one. */
function ColourField({ label, value, usual, problem, onInput }: ColourProps) {
  const id = useId();
  return (
    <div class="colour-field">
      <input
        type="color"
        aria-label={`${label}: choose`}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : usual}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        class="mono"
        placeholder={usual}
        value={value}
        spellcheck={false}
        aria-invalid={problem === undefined ? undefined : 'true'}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problem !== undefined && <span class="fault">{problem}</span>}
    </div>
  );
}
