import type { LanguagePack } from './language-pack.ts';

export const CATALAN: LanguagePack = {
  code: 'ca',
  stopWords: `el la els les l un una uns unes d del dels al als pel pels aquest aquesta aquests aquestes aquell aquella això jo em
    m me meu meva tu et t teu teva ell ella es s se seu seva seus seves nosaltres ens nostre nostra vosaltres vostè
    vostès ells elles li hi ho
    i o però sinó ni que perquè si com quan mentre
    a amb de en per sense sobre sota entre fins des cap contra durant
    és són era eren ser sigut sóc ets som està estan estar ha han he hem havia haver pot poden
    què qui quin quina quins quines on quant quanta no aquí allà`,
  abbreviations: `p.ex sr sra pàg núm tel av c aprox`,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
