import type { LanguagePack } from './language-pack.ts';

export const TURKISH: LanguagePack = {
  code: 'tr',
  stopWords: `bir bu şu o bunlar şunlar onlar bunu şunu onu bunun onun ben beni bana benim sen seni sana senin biz bizi bize bizim
    siz sizi size sizin kendi kendisi
    ve veya ya da de ama fakat ancak çünkü eğer ki ise hem ne ile gibi kadar için göre sonra önce
    mi mı mu mü değil var yok olan olarak olur olduğu oldu olmak
    kim kime kimin nasıl neden niçin nerede nereye hangi kaç burada orada`,
  abbreviations: `örn vb vs dr prof sok cad no tel bkz yy`,
  definitionVerbs: 'ise|demektir|anlamına gelir',
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
