import { createHash } from 'node:crypto';
import { type Random, seededRandom } from '../../../test/helpers/random.ts';
import { inventedName, paragraph, SPEECHES, type Speech, sentence } from './made-texts.ts';

/** A part of a page below a heading of its own. */
export type Part = {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly entries: readonly string[];
  readonly rows: readonly (readonly [string, string])[];
};

export type Article = {
  readonly path: string;
  readonly title: string;
  readonly section: string;
  readonly lead: string;
  readonly parts: readonly Part[];
  /** Address of a picture of its own. */
  readonly image: string | undefined;
  readonly author: string;
  readonly date: string;
  /** Other pages that it recommends. */
  readonly related: readonly Article[];
  /** Pages that it lists: then it is the first page of its section. */
  readonly listed: readonly Article[];
};

/** An invented site; `variant` chooses between ways that installations of one system differ. */
export type MadeSite = {
  readonly host: string;
  readonly name: string;
  readonly speech: Speech;
  readonly variant: number;
  readonly sections: readonly string[];
  readonly articles: readonly Article[];
  readonly isUnseen: boolean;
};

const SECTIONS = 4;
const PER_SECTION = 9;
const RELATED = 3;

export function madeSite(seed: number): MadeSite {
  const random = seededRandom(seed * 104_729 + 3);
  const speech = SPEECHES[seed % SPEECHES.length] as Speech;
  const name = `${inventedName(random)} ${random.pick(['Online', 'District', 'Institute', 'Works', 'Gazette', 'Commons'])}`;
  const host = `www.${name.toLowerCase().replace(/[^a-z]+/g, '-')}-${seed}.example`;
  const first = random.whole(0, speech.sections.length - 1);
  const sections = Array.from(
    { length: SECTIONS },
    (_, at) => speech.sections[(first + at) % speech.sections.length] ?? '',
  );
  const articles = sections.flatMap((section, at) => madeSection({ random, speech, section, at }));
  return { host, name, speech, variant: seed, sections, articles, isUnseen: false };
}

type SectionPlan = { readonly random: Random; readonly speech: Speech; readonly section: string; readonly at: number };

/** The articles of a section with recommendations among them, and the page that lists them. */
function madeSection(plan: SectionPlan): readonly Article[] {
  const { random, section, at } = plan;
  const articles = Array.from({ length: PER_SECTION }, (_, number) => madeArticle(plan, number));
  const linked = articles.map((article, number) => {
    const related = Array.from(
      { length: RELATED },
      (__, step) => articles[(number + 1 + step * 2) % articles.length] as Article,
    );
    return { ...article, related };
  });
  const index: Article = {
    ...madeArticle(plan, PER_SECTION),
    path: `/s${at}/`,
    title: section,
    parts: [{ heading: '', paragraphs: [paragraph(random, plan.speech)], entries: [], rows: [] }],
    image: undefined,
    listed: linked,
  };
  return [...linked, index];
}

function madeArticle({ random, speech, section, at }: SectionPlan, number: number): Article {
  const name = inventedName(random);
  const topic = random.pick(speech.topics);
  const title =
    speech.code === 'en'
      ? `${topic} of the ${name} ${random.pick(['scheme', 'quarter', 'hall', 'line'])}`
      : `${topic}: ${name}${random.pick(['platz', 'haus', 'weg', 'hof'])}`;
  return {
    path: `/s${at}/${name.toLowerCase()}-${number}${number % 2 === 0 ? '/' : '.html'}`,
    title,
    section,
    lead: sentence(random, speech),
    parts: random.list(2, 4, () => madePart(random, speech)),
    image: random.chance(0.4) ? `/media/${name.toLowerCase()}.jpg` : undefined,
    author: `${inventedName(random)} ${inventedName(random)}`,
    date: `2026-0${random.whole(1, 9)}-1${random.whole(0, 9)}`,
    related: [],
    listed: [],
  };
}

function madePart(random: Random, speech: Speech): Part {
  const hasList = random.chance(0.4);
  return {
    heading: `${random.pick(speech.topics)} ${inventedName(random)}`,
    paragraphs: random.list(1, 3, () => paragraph(random, speech)),
    entries: hasList ? random.list(3, 5, () => sentence(random, speech)) : [],
    rows: random.chance(0.2)
      ? random.list(
          2,
          4,
          () =>
            [
              `${random.pick(speech.topics)} ${inventedName(random)}`,
              `${random.whole(2, 900)} ${inventedName(random)}`,
            ] as const,
        )
      : [],
  };
}

/** Sites whose hosts have the higher digests are unseen. */
export function halved(sites: readonly MadeSite[]): readonly MadeSite[] {
  const digestOf = ({ host }: MadeSite) => createHash('sha256').update(host).digest();
  const byDigest = sites.toSorted((one, other) => digestOf(one).compare(digestOf(other)));
  const unseen = new Set(byDigest.slice(sites.length / 2));
  return sites.map((site) => ({ ...site, isUnseen: unseen.has(site) }));
}
