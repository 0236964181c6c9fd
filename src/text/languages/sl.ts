import type { LanguagePack } from './language-pack.ts';

export const SLOVENE: LanguagePack = {
  code: 'sl',
  stopWords: undefined,
  abbreviations: `npr oz itd ipd t.i tel ul št str dr mag g ga`,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
