/**
 * Words that turn a statement around, as the tokenizer writes them, by language. A statement that repeats what one of
 * them governs has to repeat one of them.
 */
const NEGATIONS: Readonly<Record<string, string>> = {
  en: `not no never cannot cant none neither nor nothing nobody nowhere isnt arent dont doesnt wont didnt wasnt
    werent shouldnt mustnt couldnt wouldnt hasnt havent hadnt hardly`,
  de: 'nicht kein keine keinen keinem keiner keines nie niemals weder nichts niemand nirgends keinesfalls',
  fr: 'pas jamais aucun aucune ni rien personne nulle nul',
  es: 'no nunca jamás ningún ninguna ninguno ni nada nadie tampoco',
  it: 'non mai nessun nessuno nessuna né niente nulla neanche neppure',
  nl: 'niet geen nooit noch niets niemand nergens',
  pt: 'não nunca jamais nenhum nenhuma nem nada ninguém tampouco',
  da: 'ikke ingen intet aldrig hverken ej ingenting',
  sv: 'inte ingen inget inga aldrig varken ej ingenting',
  nb: 'ikke ingen intet aldri verken hverken ei ingenting',
  fi: 'ei en et emme ette eivät eikä älä älkää koskaan mitään kukaan',
  pl: 'nie nigdy ani nic nikt żaden żadna żadne żadnych żadnego',
};

/** Words that say no in another way. They stand for a negation where one is wanted, and want none themselves. */
const SOFT_NEGATIONS: Readonly<Record<string, string>> = {
  en: 'without unable impossible forbidden prohibited avoid unless except refuse refuses fails fail lack lacks stop rather instead unavailable excluded wait except',
  de: 'ohne verboten unmöglich untersagt ausgeschlossen ausser außer statt vermeiden unzulässig',
  fr: 'sans impossible interdit interdite interdits interdites sauf éviter exclu exclus exclue',
  es: 'sin imposible prohibido prohibida prohibidos prohibidas salvo excepto evitar excluido',
  it: 'senza impossibile vietato vietata vietati vietate tranne eccetto evitare escluso',
  nl: 'zonder verboden onmogelijk behalve vermijd vermijden uitgesloten tenzij',
  pt: 'sem impossível proibido proibida proibidos proibidas exceto salvo evitar excluído',
  da: 'uden forbudt umuligt undtagen undgå udelukket medmindre',
  sv: 'utan förbjudet omöjligt förutom undvik undvika uteslutet såvida',
  nb: 'uten forbudt umulig unntatt unngå utelukket',
  fi: 'ilman kielletty mahdotonta paitsi vältä välttää',
  pl: 'bez zabronione niemożliwe oprócz poza unikaj unikać wykluczone zakazane',
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
