import { tokenizeSpans } from '../../../text/tokenizer.ts';
import { completedText } from '../../completions.ts';
import { hasBit } from '../bytes/bitset.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { isLongValue } from '../columns/keyword.ts';
import type { Segment } from '../segment/segment.ts';
import { WordTable } from '../segment/word-table.ts';

/** What completions are made from; the extents of both fields must be attached. */
export type PhraseSource = {
  readonly segments: readonly { readonly segment: Segment; readonly live: Uint32Array | undefined }[];
  /** Field numbers, undefined when no document has ever had the field. */
  readonly titles: number | undefined;
  readonly headings: number | undefined;
  /** Codes by language number. */
  readonly languages: readonly string[];
};

/** Distinct titles and headings as they complete, with their words and documents. A text that is both is two phrases. */
export type Phrases = {
  readonly texts: readonly string[];
  /** 1 = title. */
  readonly isTitle: Uint8Array;
  /** Words of phrase p: `words[starts[p]..starts[p + 1])`, as numbers of `surfaces`. */
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
  readonly surfaces: WordTable;
  /** Live documents of phrase p: `documents[documentStarts[p]..documentStarts[p + 1])`, numbered over all segments. */
  readonly documentStarts: Uint32Array;
  readonly documents: Uint32Array;
  /** Language number by document. */
  readonly languages: Uint8Array;
};

/** Words after which no further heading is taken in: 64 MB of working memory. Titles come first. */
const MAX_WORDS = 4_000_000;

/** Reads the two columns of all live documents. O(values + documents). */
export function collectPhrases(source: PhraseSource): Phrases {
  const collector = new PhraseCollector();
  const total = source.segments.reduce((sum, { segment }) => sum + segment.documents, 0);
  const languages = new Uint8Array(total);
  for (const [field, isTitle] of [
    [source.titles, 1],
    [source.headings, 0],
  ] as const) {
    let base = 0;
    for (const { segment, live } of source.segments) {
      languages.set(segment.languages, base);
      if (field !== undefined) collector.addColumn({ segment, live, field, isTitle, base });
      base += segment.documents;
    }
    collector.endField();
  }
  return { ...collector.finish(), languages };
}

class PhraseCollector {
  private readonly texts: string[] = [];
  private readonly isTitle = new GrowableU8();
  private readonly starts = new GrowableU32();
  private readonly words = new GrowableU32();
  private readonly surfaces = new WordTable();
  private readonly pairPhrases = new GrowableU32();
  private readonly pairDocuments = new GrowableU32();
  private known = new Map<string, number>();

  addColumn(input: { segment: Segment; live: Uint32Array | undefined; field: number; isTitle: number; base: number }) {
    const columns = input.segment.field(input.field);
    if (columns === undefined) return;
    const { values, sets, setStart, setValues } = columns.keyword;
    const phraseOf = new Int32Array(values.count);
    let ordinal = 0;
    for (const text of values) phraseOf[ordinal++] = this.phraseOf(text, input.isTitle);
    for (let d = 0; d < input.segment.documents; d++) {
      if (input.live !== undefined && !hasBit(input.live, d)) continue;
      const set = sets[d]!;
      for (let i = setStart[set]!; i < setStart[set + 1]!; i++) {
        const phrase = phraseOf[setValues[i]!]!;
        if (phrase < 0) continue;
        this.pairPhrases.push(phrase);
        this.pairDocuments.push(input.base + d);
      }
    }
  }

  /** The next column is another kind of phrase. */
  endField(): void {
    this.known = new Map();
  }

  finish(): Omit<Phrases, 'languages'> {
    this.starts.push(this.words.length);
    const { documentStarts, documents } = this.listDocuments();
    return {
      texts: this.texts,
      isTitle: this.isTitle.view(),
      starts: this.starts.view(),
      words: this.words.view(),
      surfaces: this.surfaces,
      documentStarts,
      documents,
    };
  }

  /** Number of the phrase, -1 when the text completes nothing: long values are those over `MAX_PHRASE_BYTES`. */
  private phraseOf(text: string, isTitle: number): number {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const isPhrase = !isLongValue(text) && this.words.length < MAX_WORDS;
    const number = isPhrase ? this.addPhrase(text, isTitle) : -1;
    this.known.set(text, number);
    return number;
  }

  private addPhrase(value: string, isTitle: number): number {
    const text = completedText(value);
    const start = this.words.length;
    let count = 0;
    tokenizeSpans(text, {
      token: (units, length, position, hash) => {
        // A joined form comes after its parts, at the position of the first.
        if (position < count) return;
        count++;
        this.words.push(this.surfaces.intern(units, length, hash));
      },
    });
    if (count === 0) return -1;
    this.starts.push(start);
    this.isTitle.push(isTitle);
    return this.texts.push(text) - 1;
  }

  /** Counting sort of the pairs by phrase. */
  private listDocuments(): { documentStarts: Uint32Array; documents: Uint32Array } {
    const phrases = this.pairPhrases.view();
    const documentStarts = new Uint32Array(this.texts.length + 1);
    for (let i = 0; i < phrases.length; i++) documentStarts[phrases[i]! + 1]!++;
    for (let p = 0; p < this.texts.length; p++) documentStarts[p + 1]! += documentStarts[p]!;
    const next = documentStarts.slice();
    const documents = new Uint32Array(phrases.length);
    for (let i = 0; i < phrases.length; i++) documents[next[phrases[i]!]!++] = this.pairDocuments.array[i]!;
    return { documentStarts, documents };
  }
}
