import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { en } from '../messages/en.ts';
import { createLanguage, type Language } from '../messages/language.ts';

const LanguageContext = createContext<Language>(createLanguage('en', en));

export const LanguageProvider = LanguageContext.Provider;

export function useLanguage(): Language {
  return useContext(LanguageContext);
}
