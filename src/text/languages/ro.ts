import type { LanguagePack } from './language-pack.ts';

export const ROMANIAN: LanguagePack = {
  code: 'ro',
  stopWords: `un o unui unei unor lui cel cea cei cele al ale ai acest această aceste acești acel acea acele eu mă mie meu mea mei
    mele tu te ție tău ta el ea ei ele îl îi lor noi ne nouă nostru noastră voi vă vouă vostru se își său sa săi sale
    și sau dar iar ci că să dacă deși când cum ca nici deci
    în la de din pe cu fără pentru prin spre către sub între după înainte până despre
    este e sunt era erau fi fost va vor am are au avea poate pot trebuie
    cine ce care cui unde cât câți câte nu aici acolo`,
  abbreviations: `ex etc str nr tel bl ap dl dna art alin lit`,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
