import type { LanguagePack } from './language-pack.ts';

export const HUNGARIAN: LanguagePack = {
  code: 'hu',
  stopWords: `a az egy ez azok ezek ezt azt ennek annak én engem nekem te téged neked ő őt neki mi minket nekünk ti titeket nektek
    ők őket nekik saját maga
    és s vagy de hanem mert hogy ha mint mivel ezért amikor míg bár sem is meg
    van vannak volt voltak lesz lenni lehet kell nem nincs
    alatt fölött között előtt után mellett nélkül által szerint
    ki mit kinek hol hova honnan mikor miért hogyan melyik milyen mennyi ami aki amely amit akik itt ott`,
  abbreviations: `pl stb ún ill kb tel u sz db dr ft max min`,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
