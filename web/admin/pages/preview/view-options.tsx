import { useState } from 'preact/hooks';
import { useQueryState } from '../../client/query-state.ts';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { languageName } from '../../parts/language-name.ts';
import type { PreviewView } from './use-query-tools.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** How the search is looked at, as the address says it. */
export function viewOf(engineId: string, values: Values): PreviewView {
  const at = values['at'] === undefined ? Number.NaN : Date.parse(values['at']);
  const page = Number(values['page'] ?? 1);
  return {
    engineId,
    query: (values['q'] ?? '').trim(),
    language: values['language'],
    traits: (values['traits'] ?? '')
      .split(',')
      .map((trait) => trait.trim())
      .filter((trait) => trait !== ''),
    at: Number.isNaN(at) ? undefined : new Date(at).toISOString(),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    isBare: values['without'] === '1',
  };
}

const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'da',
  'sv',
  'nb',
  'fi',
  'pl',
  'cs',
  'tr',
  'uk',
  'ar',
  'fa',
];

/** Who searches, when, and in which language; and the switch that takes all tools away. */
export function ViewOptions() {
  const { query, set } = useQueryState();
  const [traits, setTraits] = useState(query['traits'] ?? '');
  const chosen = query['language'] ?? '';
  const languages = chosen === '' || LANGUAGES.includes(chosen) ? LANGUAGES : [chosen, ...LANGUAGES];
  const isOpen = ['language', 'traits', 'at'].some((name) => query[name] !== undefined);
  return (
    <div class="view-options">
      <CheckField
        label="Without tools"
        isChecked={query['without'] === '1'}
        onChange={(isBare) => set({ without: isBare ? '1' : undefined })}
      />
      <details open={isOpen}>
        <summary>Audience, time and language</summary>
        <div class="view-fields">
          <SelectField
            label="Language of the pages"
            value={chosen}
            options={[
              { value: '', label: 'All' },
              ...languages.map((code) => ({ value: code, label: languageName(code) })),
            ]}
            onChange={(language) => set({ language: language === '' ? undefined : language, page: undefined })}
          />
          <form
            onSubmit={(event) => {
              event.preventDefault();
              set({ traits });
            }}
            onChange={() => set({ traits })}
          >
            <TextField label="Audience" placeholder="members, region:north" value={traits} onInput={setTraits} />
          </form>
          <TextField
            label="Time"
            type="datetime-local"
            value={query['at'] ?? ''}
            onInput={(at) => set({ at: at === '' ? undefined : at })}
          />
        </div>
      </details>
    </div>
  );
}
