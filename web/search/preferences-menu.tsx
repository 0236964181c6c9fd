import { useMemo } from 'preact/hooks';
import { catalogueOf, INTERFACE_LANGUAGES } from '../../src/core/interface-languages.ts';
import { useLanguage } from '../parts/language.ts';
import type { Preferences } from './preferences.ts';

type Props = {
  readonly preferences: Preferences;
  /** Only pages that follow the visitor's screen can be made light or dark. */
  readonly hasSchemes: boolean;
  readonly onChoose: (preferences: Preferences) => void;
};

/** The visitor's choice of language and colours, at the foot of the page. */
export function PreferencesMenu({ preferences, hasSchemes, onChoose }: Props) {
  const { code, text } = useLanguage();
  const names = useMemo(() => INTERFACE_LANGUAGES.map(ownNameOf), []);
  return (
    <footer class="preferences">
      <label>
        {text('menu.language')}
        <select
          value={catalogueOf(code)}
          onChange={({ currentTarget }) => onChoose({ ...preferences, language: currentTarget.value })}
        >
          {INTERFACE_LANGUAGES.map((known, at) => (
            <option key={known} value={known} lang={known}>
              {names[at]}
            </option>
          ))}
        </select>
      </label>
      {hasSchemes && (
        <label>
          {text('menu.scheme')}
          <select
            value={preferences.scheme ?? 'auto'}
            onChange={({ currentTarget }) => onChoose({ ...preferences, scheme: schemeOf(currentTarget.value) })}
          >
            <option value="auto">{text('menu.schemeAuto')}</option>
            <option value="light">{text('menu.schemeLight')}</option>
            <option value="dark">{text('menu.schemeDark')}</option>
          </select>
        </label>
      )}
    </footer>
  );
}

/** As those who speak it write it. */
function ownNameOf(code: string): string {
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
}

function schemeOf(value: string): Preferences['scheme'] {
  return value === 'light' || value === 'dark' ? value : undefined;
}
