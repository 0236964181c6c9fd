import { expect, test } from 'vitest';
import type { StoredDocument } from '../../../../src/core/document.ts';
import { ENGINE, indexInstallation } from '../../../helpers/index-installation.ts';
import { planOf, word } from '../../../helpers/query-plans.ts';
import { never } from '../../../helpers/search-index-harness.ts';
import { storedDocument } from '../../../helpers/stored-documents.ts';

/** A compound, and the words that it ends in. */
type Compounds = Readonly<Record<string, string>>;

/** Compounds of which no part stands alone on the site. */
const COMMON: Readonly<Record<string, Compounds>> = {
  da: {
    byrådsmøde: 'møde',
    legeplads: 'plads',
    affaldssortering: 'affald',
    varmepumpe: 'pumpe',
    skoleferie: 'ferie',
    parkeringsbøde: 'parkering',
    vandmåler: 'måler',
    ejendomsskat: 'skat',
    børnebibliotek: 'bibliotek',
    sundhedshus: 'hus',
  },
  de: {
    Rathaus: 'haus',
    Grundsteuer: 'steuer',
    Stadtplan: 'plan',
    Müllabfuhr: 'müll',
    Wohnungsbau: 'bau',
    Schulferien: 'ferien',
    Personalausweis: 'ausweis',
    Wasserzähler: 'zähler',
    Kindertagesstätte: 'kinder',
    Jugendzentrum: 'zentrum',
  },
  fi: {
    kirjastokortti: 'kortti',
    jätehuolto: 'huolto',
    lämpöpumppu: 'pumppu',
    kesäloma: 'loma',
    pysäköintipaikka: 'paikka',
    vesimittari: 'mittari',
    kiinteistövero: 'vero',
    uimahalli: 'halli',
    terveyskeskus: 'keskus',
    koulubussi: 'bussi',
  },
  nb: {
    kommunestyremøte: 'møte',
    lekeplass: 'plass',
    avfallssortering: 'avfall',
    varmepumpe: 'pumpe',
    skoleferie: 'ferie',
    byggesøknad: 'søknad',
    vannmåler: 'måler',
    eiendomsskatt: 'skatt',
    ungdomsklubb: 'ungdom',
    helsesenter: 'senter',
  },
  nl: {
    gemeentehuis: 'huis',
    grondbelasting: 'belasting',
    stadsplattegrond: 'stad',
    warmtepomp: 'pomp',
    zomervakantie: 'vakantie',
    parkeervergunning: 'vergunning',
    watermeter: 'meter',
    afvalbak: 'bak',
    kinderopvang: 'opvang',
    zwembad: 'bad',
  },
  nn: {
    kommunestyremøte: 'møte',
    leikeplass: 'plass',
    avfallshandtering: 'avfall',
    varmepumpe: 'pumpe',
    skuleferie: 'ferie',
    byggjesøknad: 'søknad',
    vassmålar: 'målar',
    eigedomsskatt: 'skatt',
    ungdomsklubb: 'ungdom',
    helsesenter: 'senter',
  },
  sv: {
    stadsbibliotek: 'bibliotek',
    lekplats: 'plats',
    avfallshantering: 'avfall',
    värmepump: 'pump',
    sommarlov: 'lov',
    bygglov: 'lov',
    vattenmätare: 'mätare',
    fastighetsskatt: 'skatt',
    ungdomsgård: 'ungdom',
    simhall: 'hall',
  },
};

/** Compounds of which both parts stand alone on four pages each. */
const OF_THE_SITE: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  da: [
    ['lavendelhonning', 'lavendel', 'honning'],
    ['græskarsuppe', 'græskar', 'suppe'],
    ['solsortrede', 'solsort', 'rede'],
    ['ørreddam', 'ørred', 'dam'],
    ['slædehund', 'slæde', 'hund'],
    ['egetræsfad', 'egetræ', 'fad'],
    ['hyldebærsirup', 'hyldebær', 'sirup'],
    ['valmueeng', 'valmue', 'eng'],
    ['gedeost', 'ged', 'ost'],
    ['ravsmykke', 'rav', 'smykke'],
  ],
  de: [
    ['Lavendelhonig', 'Lavendel', 'Honig'],
    ['Kürbissuppe', 'Kürbis', 'Suppe'],
    ['Amselnest', 'Amsel', 'Nest'],
    ['Forellenteich', 'Forelle', 'Teich'],
    ['Schlittenhund', 'Schlitten', 'Hund'],
    ['Eichenfass', 'Eiche', 'Fass'],
    ['Holundersirup', 'Holunder', 'Sirup'],
    ['Mohnwiese', 'Mohn', 'Wiese'],
    ['Ziegenkäse', 'Ziege', 'Käse'],
    ['Bernsteinkette', 'Bernstein', 'Kette'],
  ],
  fi: [
    ['laventelihunaja', 'laventeli', 'hunaja'],
    ['kurpitsakeitto', 'kurpitsa', 'keitto'],
    ['taimenlampi', 'taimen', 'lampi'],
    ['pulkkamäki', 'pulkka', 'mäki'],
    ['tammitynnyri', 'tammi', 'tynnyri'],
    ['seljasiirappi', 'selja', 'siirappi'],
    ['unikkoketo', 'unikko', 'keto'],
    ['vuohijuusto', 'vuohi', 'juusto'],
    ['meripihkakoru', 'meripihka', 'koru'],
    ['kanervamaljakko', 'kanerva', 'maljakko'],
  ],
  nb: [
    ['lavendelhonning', 'lavendel', 'honning'],
    ['gresskarsuppe', 'gresskar', 'suppe'],
    ['svarttrostreir', 'svarttrost', 'reir'],
    ['ørretdam', 'ørret', 'dam'],
    ['sledehund', 'slede', 'hund'],
    ['eiketønne', 'eik', 'tønne'],
    ['hyllebærsirup', 'hyllebær', 'sirup'],
    ['valmueeng', 'valmue', 'eng'],
    ['geitost', 'geit', 'ost'],
    ['ravsmykke', 'rav', 'smykke'],
  ],
  nl: [
    ['lavendelhoning', 'lavendel', 'honing'],
    ['pompoensoep', 'pompoen', 'soep'],
    ['merelnest', 'merel', 'nest'],
    ['forellenvijver', 'forel', 'vijver'],
    ['sledehond', 'slede', 'hond'],
    ['eikenvat', 'eik', 'vat'],
    ['vliersiroop', 'vlier', 'siroop'],
    ['klaproosveld', 'klaproos', 'veld'],
    ['geitenkaas', 'geit', 'kaas'],
    ['barnsteenketting', 'barnsteen', 'ketting'],
  ],
  nn: [
    ['lavendelhonning', 'lavendel', 'honning'],
    ['graskarsuppe', 'graskar', 'suppe'],
    ['svarttrastreir', 'svarttrast', 'reir'],
    ['auredam', 'aure', 'dam'],
    ['sledehund', 'slede', 'hund'],
    ['eiketønne', 'eik', 'tønne'],
    ['hyllebærsirup', 'hyllebær', 'sirup'],
    ['valmueeng', 'valmue', 'eng'],
    ['geitost', 'geit', 'ost'],
    ['ravsmykke', 'rav', 'smykke'],
  ],
  sv: [
    ['lavendelhonung', 'lavendel', 'honung'],
    ['pumpasoppa', 'pumpa', 'soppa'],
    ['koltrastägg', 'koltrast', 'ägg'],
    ['öringdamm', 'öring', 'damm'],
    ['slädhund', 'släde', 'hund'],
    ['björkfat', 'björk', 'fat'],
    ['fläderbärssirap', 'fläderbär', 'sirap'],
    ['vallmoäng', 'vallmo', 'äng'],
    ['hasselnöt', 'hassel', 'nöt'],
    ['bärnstenssmycke', 'bärnsten', 'smycke'],
  ],
};

const PAGES = 90;
const page = (rid: number, language: string, text: string): StoredDocument =>
  storedDocument({ rid, language, fields: { Content: text } });

type Publication = {
  readonly language: string;
  /** Compounds, each with the part that it is looked for by. */
  readonly queries: readonly (readonly [string, string])[];
  /** Texts of other pages, up to ninety pages in all. */
  readonly others: readonly string[];
  /** Texts of pages that the engine has from before; none unless it is said. */
  readonly known?: readonly string[];
};

/** Which compounds an engine finds by a part of theirs, after one publication. */
async function foundOf({ language, queries, others, known = [] }: Publication) {
  await using place = await indexInstallation();
  await using writer = await place.openWriter({ language });
  const publish = async (texts: readonly string[], from: number) => {
    writer.apply(place.store(texts.map((text, i) => page(from + i, language, text))));
    await writer.refresh();
  };
  if (known.length > 0) await publish(known, 1);
  const texts = [...queries.map(([compound]) => `${compound} 12`), ...others];
  const first = known.length + 1;
  await publish(
    Array.from({ length: PAGES }, (_, i) => texts[i] ?? `${i}`),
    first,
  );
  const index = place.openIndex();
  const found: string[] = [];
  for (const [i, [compound, part]] of queries.entries()) {
    const { hits } = await index.search(ENGINE, planOf({ match: word(part.toLowerCase()), limit: PAGES }), never());
    if (hits.some(({ id }) => id === `doc-${first + i}`)) found.push(compound);
  }
  return found;
}

test.each(Object.entries(COMMON))(
  '%s: eight of ten usual compounds are found by a part that stands nowhere alone',
  async (language, compounds) => {
    const found = await foundOf({ language, queries: Object.entries(compounds), others: [] });

    expect(found.length, `found: ${found}`).toBeGreaterThanOrEqual(8);
  },
);

/** Pages on which the parts of compounds stand alone, each four times. */
function partsAlone(compounds: readonly (readonly [string, string, string])[]): readonly string[] {
  const parts = compounds.flatMap(([, first, last]) => [first, last]);
  return Array.from({ length: 4 * parts.length }, (_, i) => `${parts[i % parts.length]} ${i}`);
}

const byLastPart = (compounds: readonly (readonly [string, string, string])[]) =>
  compounds.map(([compound, , last]) => [compound, last] as const);

test.each(Object.entries(OF_THE_SITE))(
  '%s: eight of ten compounds are found by words of the same publication',
  async (language, compounds) => {
    const found = await foundOf({ language, queries: byLastPart(compounds), others: partsAlone(compounds) });

    expect(found.length, `found: ${found}`).toBeGreaterThanOrEqual(8);
  },
);

test('four of five are on an engine that grows by a fifth, too few to count its words anew', async () => {
  const compounds = (OF_THE_SITE['de'] ?? []).slice(0, 5);
  const words = ['Rasen', 'Fenster', 'Brief', 'Zange', 'Mantel', 'Teppich', 'Lampe', 'Koffer', 'Pinsel', 'Hammer'];
  const known = Array.from({ length: 450 }, (_, i) => `${words[i % words.length]} ${i}`);

  const found = await foundOf({ language: 'de', queries: byLastPart(compounds), others: partsAlone(compounds), known });

  expect(found.length, `found: ${found}`).toBeGreaterThanOrEqual(4);
});
