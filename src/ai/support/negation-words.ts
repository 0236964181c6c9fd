/**
 * Words that turn a statement around, as the tokenizer writes them, by language. A statement that repeats what one of
 * them governs has to repeat one of them.
 */
const NEGATIONS: Readonly<Record<string, string>> = {
  en: `not no never cannot cant without none neither nor nothing nobody nowhere isnt arent dont doesnt wont didnt wasnt
    werent shouldnt mustnt couldnt wouldnt hasnt havent hadnt hardly`,
  de: 'nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts niemand nirgends keinesfalls',
  fr: 'pas jamais aucun aucune sans ni rien personne nulle nul',
  es: 'no nunca jamás ningún ninguna ninguno sin ni nada nadie tampoco',
  it: 'non mai nessun nessuno nessuna senza né niente nulla neanche neppure',
  nl: 'niet geen nooit zonder noch niets niemand nergens',
  pt: 'não nunca jamais nenhum nenhuma sem nem nada ninguém tampouco',
  da: 'ikke ingen intet aldrig uden hverken ej ingenting',
  sv: 'inte ingen inget inga aldrig utan varken ej ingenting',
  nb: 'ikke ingen intet aldri uten verken hverken ei ingenting',
  fi: 'ei en et emme ette eivät eikä älä älkää ilman koskaan mitään kukaan',
  pl: 'nie nigdy bez ani nic nikt żaden żadna żadne żadnych żadnego',
};

/** Words that say no in another way. They stand for a negation where one is wanted, and want none themselves. */
const SOFT_NEGATIONS: Readonly<Record<string, string>> = {
  en: 'unable impossible forbidden prohibited avoid unless except refuse refuses fails fail lack lacks stop rather instead unavailable excluded',
  de: 'verboten unmöglich untersagt ausgeschlossen ausser außer statt vermeiden unzulässig',
  fr: 'impossible interdit interdite interdits interdites sauf éviter exclu exclus exclue',
  es: 'imposible prohibido prohibida prohibidos prohibidas salvo excepto evitar excluido',
  it: 'impossibile vietato vietata vietati vietate tranne eccetto evitare escluso',
  nl: 'verboden onmogelijk behalve vermijd vermijden uitgesloten tenzij',
  pt: 'impossível proibido proibida proibidos proibidas exceto salvo evitar excluído',
  da: 'forbudt umuligt undtagen undgå udelukket medmindre',
  sv: 'förbjudet omöjligt förutom undvik undvika uteslutet såvida',
  nb: 'forbudt umulig unntatt unngå utelukket',
  fi: 'kielletty mahdotonta paitsi vältä välttää',
  pl: 'zabronione niemożliwe oprócz poza unikaj unikać wykluczone zakazane',
};

export type NegationKind = 'negation' | 'soft';

const KINDS = new Map(Object.keys(NEGATIONS).map((language) => [language, kindsOf(language)]));

function kindsOf(language: string): ReadonlyMap<string, NegationKind> {
  const soft = wordsOf(SOFT_NEGATIONS[language]).map((word) => [word, 'soft'] as const);
  return new Map<string, NegationKind>([
    ...soft,
    ...wordsOf(NEGATIONS[language]).map((word) => [word, 'negation'] as const),
  ]);
}

function wordsOf(list: string | undefined): readonly string[] {
  return list?.split(/\s+/) ?? [];
}

/** What a normalised word does to a statement; undefined = nothing, or no table for the language. */
export function negationOf(word: string, language: string): NegationKind | undefined {
  return KINDS.get(language)?.get(word);
}
