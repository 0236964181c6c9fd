import type { LanguagePack } from './language-pack.ts';

export const INDONESIAN: LanguagePack = {
  code: 'id',
  stopWords: undefined,
  abbreviations: undefined,
  definitionVerbs: 'adalah|merupakan|ialah|berarti',
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
