import { chooseLanguage, INTERFACE_LANGUAGES } from '../../src/core/interface-languages.ts';

/** What a visitor chose in the menu; undefined = nothing. */
export type Preferences = {
  readonly language: string | undefined;
  readonly scheme: 'light' | 'dark' | undefined;
};

export const NO_PREFERENCES: Preferences = { language: undefined, scheme: undefined };

/** In the storage of the browser: all pages of a host share it. */
const NAME = 'fossick.preferences';

/** Nothing where the browser keeps nothing, or keeps what is none. */
export function readPreferences(): Preferences {
  try {
    const { language, scheme } = JSON.parse(localStorage.getItem(NAME) ?? '{}') as Record<string, unknown>;
    return {
      language: INTERFACE_LANGUAGES.find((known) => known === language),
      scheme: scheme === 'light' || scheme === 'dark' ? scheme : undefined,
    };
  } catch {
    return NO_PREFERENCES;
  }
}

/** Where the browser keeps nothing, the choice ends with the page. */
export function keepPreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(preferences));
  } catch {
    // Storage is switched off or full.
  }
}

/** The language of the interface: the visitor's choice, else what the server wrote. */
export function preferredLanguage({ language }: Preferences, written: string): string {
  return chooseLanguage(language === undefined ? [written] : [language]);
}
