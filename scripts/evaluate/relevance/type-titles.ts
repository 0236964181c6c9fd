import { seededRandom } from '../../bench/seeded-random.ts';
import { type CorpusDocument, type CorpusName, readCorpus } from './corpus.ts';
import { openAutocomplete } from './open-autocomplete.ts';

const SEED = 20_261_124;
/** Of each site, at random. */
const TITLES = 67;
const FEWEST_LETTERS = 3;
/** From here on the document should stand on the first screen, which holds five at least. */
const SCREEN_LETTERS = 4;
const SCREEN = 5;
/** Documents and completions, each, as the search page asks for them. */
export const TYPED_LIMIT = 8;

export type TypingSummary = {
  readonly titles: number;
  readonly beginnings: number;
  /** Beginnings with neither a document nor a completion. */
  readonly empty: number;
  /** Share of the beginnings of four letters and more whose document is among the first five. */
  readonly firstScreen: number;
  /** Share of whole titles whose document is the first. */
  readonly wholeFirst: number;
};

export type Typing = {
  readonly summary: TypingSummary;
  /** Beginnings of four letters and more whose document is not among the first five. */
  readonly misses: readonly { readonly typed: string; readonly title: string }[];
};

/** What is shown for a typed text. */
export type Offered = { readonly titles: readonly string[]; readonly completions: readonly string[] };

/** Types titles that one document of a site alone has, letter by letter, as into the search page. */
export async function typeTitles(
  siteTitles: readonly string[],
  offer: (typed: string) => Promise<Offered>,
): Promise<Typing> {
  const titles = chooseTitles(siteTitles);
  const shown: { typed: string; title: string; rank: number; isEmpty: boolean }[] = [];
  for (const title of titles) {
    for (const typed of beginningsOf(title)) {
      const offered = await offer(typed);
      const isEmpty = offered.titles.length === 0 && offered.completions.length === 0;
      shown.push({ typed, title, rank: offered.titles.indexOf(title), isEmpty });
    }
  }
  const late = shown.filter(({ typed }) => lettersOf(typed) >= SCREEN_LETTERS);
  const misses = late.filter(({ rank }) => rank < 0 || rank >= SCREEN);
  const whole = shown.filter(({ typed, title }) => typed === title);
  return {
    summary: {
      titles: titles.length,
      beginnings: shown.length,
      empty: shown.filter(({ isEmpty }) => isEmpty).length,
      firstScreen: 1 - misses.length / late.length,
      wholeFirst: whole.filter(({ rank }) => rank === 0).length / whole.length,
    },
    misses,
  };
}

/** Types titles of a corpus. */
export async function typeCorpus(name: CorpusName): Promise<Typing> {
  const corpus = readCorpus(name);
  await using autocomplete = await openAutocomplete(corpus);
  const titlesOf = corpus.documents.map(titleOf);
  const titlesById = new Map(corpus.documents.map((document) => [document.id, titleOf(document)]));
  // Awaited here: the index is closed when this function ends.
  return await typeTitles(titlesOf, async (query) => {
    const { ids, completions } = await autocomplete.offer(query, TYPED_LIMIT);
    return { titles: ids.map((id) => titlesById.get(id) ?? ''), completions };
  });
}

function titleOf({ fields }: CorpusDocument): string {
  return fields['Title']?.[0] ?? '';
}

function chooseTitles(all: readonly string[]): readonly string[] {
  const random = seededRandom(SEED);
  const counts = new Map<string, number>();
  for (const title of all) counts.set(title, (counts.get(title) ?? 0) + 1);
  return all
    .filter((title) => counts.get(title) === 1 && lettersOf(title) >= SCREEN_LETTERS)
    .map((title) => ({ title, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, TITLES)
    .map(({ title }) => title);
}

/** Each beginning that ends in a letter or digit, and the whole. */
function beginningsOf(title: string): readonly string[] {
  const beginnings = [...title].map((_, index, letters) => letters.slice(0, index + 1).join(''));
  return beginnings.filter(
    (typed) => typed === title || (/[\p{L}\p{N}]$/u.test(typed) && lettersOf(typed) >= FEWEST_LETTERS),
  );
}

function lettersOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
