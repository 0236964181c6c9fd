import type { GeneratedDocument } from '../generate-corpus.ts';
import { seededRandom } from '../seeded-random.ts';
import type { BenchQuery } from './peer.ts';

/** Documents that frequencies and word pairs are taken from. */
const SAMPLE = 100_000;
const KEPT = 3_000;
const STOP_WORDS = new Set(
  'the of to a and in is for that it with on as are this be by or from an you can not at if when which has use will all'.split(
    ' ',
  ),
);

type Band = 'common' | 'middle' | 'rare';
type Words = { readonly sample: readonly GeneratedDocument[]; readonly bandOf: (word: string) => Band | undefined };

/**
 * The 14 classes with `size` queries each, always the same for a corpus: words by document frequency (common > 5 %,
 * middle > 0.4 %, rare in 4 documents or more) that stand together in one document.
 */
export async function makeQueries(
  corpus: AsyncIterable<GeneratedDocument>,
  size: number,
): Promise<Readonly<Record<string, readonly BenchQuery[]>>> {
  const words = await readWords(corpus);
  const maker = new QueryMaker(words);
  const list = (make: () => BenchQuery) => Array.from({ length: size }, make);
  return {
    'one rare word': list(() => maker.all('rare')),
    'one common word': list(() => maker.all('common')),
    '2 words AND': list(() => maker.all('middle', 'middle')),
    '3 words AND': list(() => maker.all('common', 'middle', 'middle')),
    '2 common words AND': list(() => maker.all('common', 'common')),
    '2 words OR': list(() => maker.any('middle', 'middle')),
    '4 words OR': list(() => maker.any('common', 'common', 'middle', 'rare')),
    'AND, value and date filter': list(() => maker.filtered()),
    'OR sorted by date': list(() => ({ ...maker.any('common', 'middle'), sort: 'published' })),
    'everything sorted by price': list(() => maker.everythingByPrice()),
    'OR within a radius': list(() => maker.near()),
    'phrase of 2 words': list(() => maker.phrase()),
    prefix: list(() => maker.prefix()),
    typo: list(() => maker.typo()),
  };
}

async function readWords(corpus: AsyncIterable<GeneratedDocument>): Promise<Words> {
  const random = seededRandom(7);
  const frequencies = new Map<string, number>();
  const sample: GeneratedDocument[] = [];
  let documents = 0;
  for await (const document of corpus) {
    for (const word of new Set(wordsOf(document))) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    if (random() < KEPT / SAMPLE) sample.push(document);
    if (++documents === SAMPLE) break;
  }
  const bandOf = (word: string): Band | undefined => {
    const frequency = frequencies.get(word) ?? 0;
    if (word.length < 3 || STOP_WORDS.has(word) || !/^[a-z]+$/.test(word)) return undefined;
    const share = frequency / documents;
    if (share > 0.05) return 'common';
    if (share > 0.004) return 'middle';
    return frequency >= 4 ? 'rare' : undefined;
  };
  return { sample, bandOf };
}

function wordsOf({ title, description, content }: GeneratedDocument): readonly string[] {
  return `${title} ${description} ${content}`.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

class QueryMaker {
  private readonly random = seededRandom(99);
  private readonly words: Words;

  constructor(words: Words) {
    this.words = words;
  }

  all(...bands: readonly Band[]): BenchQuery {
    return { words: this.together(bands), operator: 'AND' };
  }

  any(...bands: readonly Band[]): BenchQuery {
    return { words: this.together(bands), operator: 'OR' };
  }

  filtered(): BenchQuery {
    const categories = [this.document().category, this.document().category];
    return { ...this.all('common', 'middle'), categories, publishedFrom: Date.UTC(2021 + this.whole(4), 0, 1) };
  }

  everythingByPrice(): BenchQuery {
    const everything = { words: [], operator: 'AND', sort: 'price' } as const;
    return this.random() < 0.5 ? { ...everything, categories: [this.document().category] } : everything;
  }

  near(): BenchQuery {
    const { latitude, longitude } = this.document();
    return { ...this.any('common', 'middle'), near: { latitude, longitude, metres: (50 + this.whole(200)) * 1_000 } };
  }

  phrase(): BenchQuery {
    for (;;) {
      const words = wordsOf(this.document());
      const at = this.whole(words.length - 1);
      const pair = words.slice(at, at + 2);
      if (pair.length === 2 && pair.every((word) => this.words.bandOf(word) !== undefined)) {
        return { words: pair, operator: 'AND', phrase: true };
      }
    }
  }

  prefix(): BenchQuery {
    const [word = ''] = this.together([this.random() < 0.5 ? 'middle' : 'rare']);
    return { words: [], operator: 'AND', prefix: word.slice(0, 2 + this.whole(4)) };
  }

  /** One letter left out, two swapped, or one replaced. */
  typo(): BenchQuery {
    for (;;) {
      const [meant = ''] = this.together([this.random() < 0.6 ? 'middle' : 'rare']);
      if (meant.length < 6) continue;
      const at = 1 + this.whole(meant.length - 2);
      const head = meant.slice(0, at);
      const edits = [
        head + meant.slice(at + 1),
        head + meant.charAt(at + 1) + meant.charAt(at) + meant.slice(at + 2),
        `${head}w${meant.slice(at + 1)}`,
      ];
      const written = edits[this.whole(edits.length)] ?? meant;
      if (this.words.bandOf(written) === undefined) return { words: [], operator: 'OR', typo: { written, meant } };
    }
  }

  /** Distinct words of one document, one per band. */
  private together(bands: readonly Band[]): readonly string[] {
    for (;;) {
      const words = new Set(wordsOf(this.document()));
      const chosen: string[] = [];
      for (const band of bands) {
        const fitting = [...words].filter((word) => this.words.bandOf(word) === band && !chosen.includes(word));
        const word = fitting[this.whole(fitting.length)];
        if (word !== undefined) chosen.push(word);
      }
      if (chosen.length === bands.length) return chosen;
    }
  }

  private document(): GeneratedDocument {
    const { sample } = this.words;
    return sample[this.whole(sample.length)]!;
  }

  private whole(below: number): number {
    return Math.floor(this.random() * below);
  }
}
