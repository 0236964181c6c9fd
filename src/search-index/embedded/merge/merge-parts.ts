import type { Vocabulary } from '../../../text/compounds.ts';
import { isWordTerm } from '../../../text/term-keys.ts';
import { GrowableU8 } from '../bytes/growable.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { codePositions, PositionReader } from '../positions/coder.ts';
import { decodeTerm } from '../postings/blocks.ts';
import { POSITION_CLASS_SHIFT, type PostingsWriter } from '../postings/writer.ts';
import { PartNaming } from '../segment/part-naming.ts';
import type { MergeSource } from './merger.ts';

/** A compound of one source whose documents in one language have the part. */
type Holder = { readonly source: MergeSource; readonly term: number; readonly language: number };

/** A token of a part in the merged segment. */
type Token = { readonly document: number; readonly place: number };

/**
 * Splits the words of the sources anew and writes the terms of their parts; returns the keys. They come before every
 * other term. O(distinct words) splits, and for each part the postings of its compounds.
 */
export function writeParts(
  sources: readonly MergeSource[],
  { vocabulary, languages }: { readonly vocabulary: Vocabulary; readonly languages: readonly string[] },
  out: PostingsWriter,
): string[] {
  const holders = findHolders(sources, new PartNaming(vocabulary), languages);
  const readers = new Map(sources.map((source) => [source, openPositions(source)]));
  const longest = Math.max(0, ...sources.map(({ segment }) => segment.documents));
  const documents = new Uint32Array(longest);
  const keys: string[] = [];
  for (const key of sortByCodePoint([...holders.keys()])) {
    const tokens: Token[] = [];
    for (const holder of holders.get(key)!) readTokens(holder, readers.get(holder.source)!, documents, tokens);
    tokens.sort((a, b) => a.document - b.document || a.place - b.place);
    out.beginTerm();
    writeTokens(tokens, out);
    if (out.endTerm()) keys.push(key);
  }
  return keys;
}

function findHolders(
  sources: readonly MergeSource[],
  parts: PartNaming,
  languages: readonly string[],
): Map<string, Holder[]> {
  const holders = new Map<string, Holder[]>();
  for (const source of sources) {
    const { segment } = source;
    const splitting = [...languages.entries()].filter(
      ([number, code]) => ((segment.languageMask >>> number) & 1) === 1 && parts.splits(code),
    );
    if (splitting.length === 0) continue;
    const stems = segment.dictionary.stems();
    for (const [language, code] of splitting) {
      forEachPart(
        stems,
        (stem) => parts.keysOf(stem, code),
        (term, key) => {
          const list = holders.get(key) ?? [];
          holders.set(key, list);
          list.push({ source, term, language });
        },
      );
    }
  }
  return holders;
}

function forEachPart(
  stems: readonly string[],
  keysOf: (stem: string) => readonly string[],
  visit: (term: number, key: string) => void,
): void {
  for (const [term, stem] of stems.entries()) {
    if (isWordTerm(stem)) for (const key of keysOf(stem)) visit(term, key);
  }
}

function openPositions({ segment }: MergeSource): PositionReader {
  const reader = new PositionReader();
  reader.open(segment.positions(), segment.tfBytes);
  return reader;
}

/** Places of a compound in the live documents of its language. */
function readTokens({ source, term, language }: Holder, reader: PositionReader, documents: Uint32Array, out: Token[]) {
  const { segment, documentMap } = source;
  decodeTerm(segment, term, documents);
  const first = segment.termPosting[term]!;
  for (let i = 0; i < segment.termDf[term]!; i++) {
    const document = documentMap[documents[i]!]!;
    if (document < 0 || segment.languages[documents[i]!] !== language) continue;
    reader.read(first + i);
    for (let at = 0; at < reader.end; at++) {
      const textClass = at < reader.endA ? 0 : at < reader.endB ? 1 : 2;
      out.push({ document, place: ((textClass << POSITION_CLASS_SHIFT) | reader.positions[at]!) >>> 0 });
    }
  }
}

function writeTokens(tokens: readonly Token[], out: PostingsWriter): void {
  const indexes = Uint32Array.from(tokens, ({ place: index }) => index);
  const counts = { a: 0, b: 0, c: 0 };
  const coded = new GrowableU8();
  for (let from = 0; from < tokens.length; ) {
    const { document } = tokens[from]!;
    let to = from + 1;
    while (to < tokens.length && tokens[to]!.document === document) to++;
    coded.length = 0;
    const tf = codePositions(indexes, from, to, counts, coded);
    out.add(document, tf, coded.array, 0, coded.length);
    from = to;
  }
}
