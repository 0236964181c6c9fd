import { answerTableOf } from '../../text/languages/packs.ts';
import { stemWord } from '../../text/stemming.ts';

/**
 * Words that turn a statement around, as the tokenizer writes them, by language. A statement that repeats what one of
 * them governs has to repeat one of them.
 */
const NEGATIONS = answerTableOf('negations');

/** Words that say no in another way. They stand for a negation where one is wanted, and want none themselves. */
const SOFT_NEGATIONS = answerTableOf('softNegations');

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

/**
 * Groups of words of which only one can be true of the same thing, by language: `|` between groups, `/` between
 * spellings of one word. A statement may not hold one where its source holds another of the group instead.
 */
const GROUPS = answerTableOf('exclusiveWords');

/** Groups of a language that a word stands in: which group, and which of its places. */
export type ExclusiveGroup = { readonly group: number; readonly member: number };

const PLACES = new Map<string, ReadonlyMap<string, readonly ExclusiveGroup[]>>();

/** Places of a normalised word, found by the word itself and by its stem; none for a language without a table. */
export function exclusiveGroupsOf(word: string, stem: string, language: string): readonly ExclusiveGroup[] {
  const positions = PLACES.get(language) ?? readGroups(language);
  return positions.get(word) ?? positions.get(`${STEM_MARK}${stem}`) ?? [];
}

const STEM_MARK = '~';

function readGroups(language: string): ReadonlyMap<string, readonly ExclusiveGroup[]> {
  const positions = new Map<string, ExclusiveGroup[]>();
  for (const [group, members] of (GROUPS[language] ?? '').split('|').entries()) {
    for (const [member, spellings] of members.trim().split(/\s+/).entries()) {
      for (const word of spellings.split('/')) addPlace(positions, language, { word, group: { group, member } });
    }
  }
  PLACES.set(language, positions);
  return positions;
}

function addPlace(
  positions: Map<string, ExclusiveGroup[]>,
  language: string,
  { word, group: position }: { readonly word: string; readonly group: ExclusiveGroup },
): void {
  for (const key of [word, `${STEM_MARK}${stemWord(word, language)}`]) {
    const known = positions.get(key) ?? [];
    if (!known.some(({ group, member }) => group === position.group && member === position.member))
      known.push(position);
    positions.set(key, known);
  }
}
