import type { StoredDocument } from '../../src/core/document.ts';
import { createVocabulary, knownWord } from '../../src/text/compounds.ts';
import type { Random } from './random.ts';
import { deletedDocument, storedDocument } from './stored-documents.ts';

/** Words with forms, accents, digits, joints and scripts, the frequent ones first. */
export const WORDS =
  'the and solar panel panels power house houses running runner wind turbine Wi-Fi café cafe Über uber Häuser Haus ' +
  'neue neuer wohnung wohnungen AB-12 ab12 c++ 2024 naïve straße strasse maison maisons l’eau élève it’s été 東京 タワー ' +
  'solpanel solpaneler solceller Solcellepanel vindmøllepark wohnungssuche Häuserwand haeuser sol celle park suche ' +
  '東京タワー 京都 한국어를 한국 ' +
  'zebra alpha beta rare unique 𝒳ray ﬁne user@example.com 3.5 energy inverter grid sunlight air moving';
export const VOCABULARY: readonly string[] = WORDS.split(' ');

export const LANGUAGES = ['en', 'de', 'da', 'fr', 'xx'] as const;

/** Splits the compounds among these words. */
export const COMPOUND_VOCABULARY = createVocabulary(
  7,
  new Map([
    ['da', knownWords('da', 'sol panel paneler celle solcelle vind moller park haus wind power')],
    ['de', knownWords('de', 'wohnung suche haus hauser wand power air panel')],
  ]),
);

function knownWords(language: string, words: string) {
  return { documents: 100, words: words.split(' ').map((word, i) => knownWord(word, 3 + i, language)) };
}
const CRAWLERS = [17, 3, 4000];
const CATEGORIES = ['Guides', 'guides', 'News', 'Manuals', 'Ärger', '\u{1f600} fun', '\uff01 wide', ''];
const NUMBERS = ['1', '2.5', '-3', '10', '1e2', '0010'];
const DATES = ['2024', '2024-02', '2024-02-29', '2023-12-31T23:30:00+01:00', '20240101', '2024/03/01'];
const PLACES = ['55.6761,12.5683', '57.0488,9.9217', '-33.9,18.4', '0,180', '90,0'];

/** A document of a small world, in which fields are missing, have several values, or values that do not parse. */
export function randomDocument(random: Random, at: { rid: number; seq: number }): StoredDocument {
  const fields: Record<string, readonly string[]> = {};
  const put = (probability: number, name: string, values: () => readonly string[]) => {
    if (random.chance(probability)) fields[name] = values();
  };
  const one = (values: readonly string[], stray: number) => () => [random.chance(stray) ? 'n/a' : random.pick(values)];
  const several = (values: readonly string[], stray: number) => () =>
    random.list(0, 4, () => (random.chance(stray) ? 'none' : random.pick(values)));
  put(0.9, 'Title', () => [title(random)]);
  put(0.4, 'Headings', () => random.list(1, 3, () => text(random, 5)));
  put(0.8, 'Content', () => random.list(1, 2, () => text(random, random.chance(0.1) ? 300 : 40)));
  put(0.4, 'Description', () => [text(random, 8)]);
  put(0.7, 'Category', () => random.list(1, 3, () => random.pickSkewed(CATEGORIES)));
  put(0.5, 'Author', () => [`${random.pick(['ann', 'Bob', 'Ann', 'Čenek'])} ${random.whole(1, 9)}`]);
  put(0.5, 'Price_number', several(NUMBERS, 0.1));
  put(0.5, 'Size', one(NUMBERS, random.chance(0.02) ? 1 : 0));
  put(0.3, 'Count', several(NUMBERS, 0));
  put(0.5, 'Published_date', several(DATES, 0.1));
  put(0.3, 'Day', one(DATES.slice(1), 0));
  put(0.4, 'Place_geo_point', several(PLACES, 0.1));
  put(0.6, 'Url', () => [`https://example.com/${random.pickSkewed(VOCABULARY)}/${at.rid}`]);
  put(0.2, 'Note', () => [
    `${random.pick(['Long', 'long', 'Other'])} ${'x'.repeat(random.whole(190, 210))} ${random.whole(1, 3)}`,
  ]);
  return storedDocument({
    ...at,
    id: randomDocumentId(random, at.rid),
    crawlerId: CRAWLERS[at.rid % CRAWLERS.length] ?? 0,
    kind: random.pick(['PageContent', 'FileContent']),
    language: random.pickSkewed(LANGUAGES),
    fields,
    structure: random.chance(0.4)
      ? {
          version: 1,
          sections: [],
          surroundings: random.chance(0.7) ? text(random, 12) : '',
          definitions: random.list(0, 3, () => ({ anchor: qualifiedName(random), text: text(random, 3) })),
          pageKind: random.pick([undefined, undefined, 'index', 'source', 'history'] as const),
        }
      : undefined,
    linkTexts: random.chance(0.3)
      ? random.list(1, 3, () => ({ text: text(random, 3), pages: random.pick([1, 2, 7, 8, 300]) }))
      : undefined,
  });
}

function qualifiedName(random: Random): string {
  return random.list(1, 6, () => random.pickSkewed(VOCABULARY)).join(random.pick(['.', '::', '_', '-']));
}

/** Some have a name: behind a section number, before a separator. */
function title(random: Random): string {
  const number = random.chance(0.2) ? random.pick(['3. ', '23.6. ', 'F.2. ', '2024 ']) : '';
  const rest = random.chance(0.3) ? random.pick([' — ', ' | ', ': ', ' (', ' - ', '-']) + text(random, 4) : '';
  return number + text(random, 4) + rest;
}

/** One of four ids of a row; rows that follow each other may share it, each under its crawler. */
export function randomDocumentId(random: Random, rid: number): string {
  return `${random.pick(['doc-', 'Doc-', '\u{1f600}-', '\uff01-'])}${Math.floor(rid / CRAWLERS.length)}`;
}

/** Rows of a round: new ones, replaced ones, deleted ones, with `seq` from `seq + 1` on. */
export function randomChanges(random: Random, known: { rids: number; seq: number }): StoredDocument[] {
  let { rids, seq } = known;
  return random.list(1, random.pick([5, 30, 90]), () => {
    seq++;
    const isNew = rids === 0 || random.chance(0.6);
    const rid = isNew ? ++rids : random.whole(1, rids);
    return !isNew && random.chance(0.5) ? deletedDocument(rid, seq) : randomDocument(random, { rid, seq });
  });
}

function text(random: Random, most: number): string {
  return random.list(1, most, () => random.pickSkewed(VOCABULARY)).join(random.chance(0.1) ? ', ' : ' ');
}
