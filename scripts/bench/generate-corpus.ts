import { gauss, seededRandom } from './seeded-random.ts';

/** One generated document: invented words with topics, inflections and a Zipf tail, as in the engine's experiments. */
export type GeneratedDocument = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly category: string;
  readonly language: string;
  readonly author: string;
  /** Epoch milliseconds at midnight UTC. */
  readonly published: number;
  readonly price: number;
  readonly latitude: number;
  readonly longitude: number;
};

const SYLLABLES =
  'ka lo mi re su ta ven dor pel qui zan bri cor fen gal hul jor nim ost pra rus sil tor ulm vex wyn xal yor zet ard esk ith'.split(
    ' ',
  );
const FUNCTION_WORDS =
  'the of to a and in is for that it with on as are this be by or from an you can not at if when which has use will all'.split(
    ' ',
  );
const CATEGORIES =
  'Documentation News Blog Products Support Downloads Tutorials Reference Events Careers Policies Research'.split(' ');
const LANGUAGES = ['en', 'en', 'en', 'en', 'da', 'de'];
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2019, 0, 1);
const DAYS = 2_500;
const TOWNS = 60;
const TOPICS = 160;
const WORDS = 20_000;
/** Rank of the rarest invented word: the vocabulary keeps growing with the corpus. */
const TAIL = 3_000_000;

type Random = () => number;

/** `count` documents, always the same for a seed; body log-normal, about 150 words on average. */
export function* generateCorpus(count: number, seed = 12_345): Generator<GeneratedDocument> {
  const random = seededRandom(seed);
  const topics = makeTopics(random);
  const towns = Array.from({ length: TOWNS }, () => [35 + random() * 30, random() * 40 - 10] as const);
  for (let index = 0; index < count; index++) {
    const topicNumber = Math.floor(random() * random() * TOPICS);
    const topic = topics[topicNumber] ?? { titles: [], sentences: [] };
    const words = Math.max(25, Math.min(1_500, Math.round(Math.exp(4.75 + 0.7 * gauss(random)))));
    const content = makeBody(random, topic, words);
    yield {
      id: `https://site.example/${index}`,
      title: `${pick(random, topic.titles)}${random() < 0.5 ? ` ${tailWord(random)}` : ''}`,
      description: content.slice(0, 200),
      content,
      category: CATEGORIES[(topicNumber * 7 + Math.floor(random() * random() * 6)) % CATEGORIES.length] ?? '',
      language: pick(random, LANGUAGES),
      author: `author${Math.floor(random() * random() * 200)}`,
      ...placeAndTime(random, towns),
    };
  }
}

function placeAndTime(random: Random, towns: readonly (readonly [number, number])[]) {
  const [latitude, longitude] = towns[Math.floor(random() * random() * towns.length)] ?? [0, 0];
  return {
    published: FIRST_DAY + Math.floor(Math.sqrt(random()) * DAYS) * DAY_MS,
    price: Math.round(Math.exp(3.5 + gauss(random)) * 100) / 100,
    latitude: Number((latitude + gauss(random) * 0.2).toFixed(5)),
    longitude: Number((longitude + gauss(random) * 0.2).toFixed(5)),
  };
}

type Topic = { readonly titles: readonly string[]; readonly sentences: readonly string[] };

function makeTopics(random: Random): readonly Topic[] {
  const base = Array.from({ length: WORDS }, (_, rank) => `${wordOfRank(rank)}e`);
  return Array.from({ length: TOPICS }, (_, number) => {
    const own = Array.from({ length: 400 }, () => pick(random, base));
    const content = () => inflect(random, zipf(random, random() < 0.6 ? own : base));
    const sentence = () => {
      const words = Array.from({ length: 8 + Math.floor(random() * 18) }, () =>
        random() < 0.45 ? zipf(random, FUNCTION_WORDS) : content(),
      );
      return `${capital(words.join(' '))}.`;
    };
    return {
      titles: Array.from({ length: 80 }, () =>
        capital(Array.from({ length: 2 + Math.floor(random() * 5) }, content).join(' ')),
      ),
      sentences: Array.from({ length: 300 + Math.floor(4_000 / (number + 1)) }, sentence),
    };
  });
}

function makeBody(random: Random, { sentences }: Topic, wanted: number): string {
  const parts: string[] = [];
  let words = 0;
  while (words < wanted) {
    const sentence = sentences[Math.floor(random() * random() * sentences.length)] ?? '';
    parts.push(sentence);
    words += sentence.split(' ').length;
    if (random() < 0.35) parts.push(`${tailWord(random)} ${tailWord(random)}`);
  }
  return parts.join(' ');
}

function tailWord(random: Random): string {
  return wordOfRank(Math.floor(Math.exp(random() * Math.log(TAIL))) - 1);
}

function wordOfRank(rank: number): string {
  let word = '';
  for (let rest = rank + 977; rest > 0; rest >>>= 5) word += SYLLABLES[rest & 31] ?? '';
  return word;
}

function inflect(random: Random, word: string): string {
  const roll = random();
  if (roll < 0.18) return `${word}s`;
  if (roll < 0.24) return `${word}ed`;
  return roll < 0.3 ? `${word}ing` : word;
}

function zipf(random: Random, words: readonly string[]): string {
  return words[Math.floor(Math.exp(random() * Math.log(words.length + 1))) - 1] ?? '';
}

function pick(random: Random, items: readonly string[]): string {
  return items[Math.floor(random() * items.length)] ?? '';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
