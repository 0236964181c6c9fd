import { answerTableOf } from '../../text/languages/packs.ts';
import { stemWord } from '../../text/stemming.ts';

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
      for (const word of spellings.split('/')) addPlace(positions, language, { word, place: { group, member } });
    }
  }
  PLACES.set(language, positions);
  return positions;
}

function addPlace(
  positions: Map<string, ExclusiveGroup[]>,
  language: string,
  { word, place: position }: { readonly word: string; readonly place: ExclusiveGroup },
): void {
  for (const key of [word, `${STEM_MARK}${stemWord(word, language)}`]) {
    const known = positions.get(key) ?? [];
    if (!known.some(({ group, member }) => group === position.group && member === position.member))
      known.push(position);
    positions.set(key, known);
  }
}
