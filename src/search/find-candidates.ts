import { createBoundedCache } from '../core/bounded-cache.ts';
import type { StoredDocument } from '../core/document.ts';
import { yieldInBackgroundEvery } from '../core/yield.ts';
import type { VectorCandidate } from '../search-index/vector-index.ts';
import { wordsOf } from '../text/analyzer.ts';
import { hasVariants, variantKindOf } from '../text/morphological-variants.ts';
import { contentHashes, stemHashes } from '../text/stem-hashes.ts';
import { stemWord } from '../text/stemming.ts';
import { type CuttingRules, cutPassages } from './cut-passages.ts';
import type { IsInjected } from './judged-sentence.ts';
import type { AnalysedCandidate, AnalysedPassage, Passage, QuestionTerm, WordAlternative } from './passage.ts';
import { createPassageScorer, definesSubject } from './passage-scores.ts';

/** A document whose passages are looked at. */
export type CandidateDocument = {
  readonly row: StoredDocument;
  /** In the search that found it, divided by the best one: 0 to 1. */
  readonly score: number;
  /** Product of the boosts that its fields earn. */
  readonly boost: number;
};

/** Plain data, so that a thread can be asked. */
export type CandidateInput = {
  readonly engineId: number;
  /** Of documents that tell none. */
  readonly language: string;
  readonly sourceFields: readonly string[];
  readonly terms: readonly QuestionTerm[];
  /** Language of the question. */
  readonly askedIn: string;
  /** Words of what the question wants defined. */
  readonly subject: readonly string[];
  /** Best first. */
  readonly documents: readonly CandidateDocument[];
  /** `best`: the best passages of all; `of-each`: every document has its part. */
  readonly choice: 'best' | 'of-each';
  /** What vectors found; undefined = words alone find passages. */
  readonly nearest?: NearestPassages | undefined;
};

export type NearestPassages = {
  readonly hits: readonly VectorCandidate[];
  /** Of the hits, those that may ground an answer. */
  readonly documents: readonly CandidateDocument[];
};

export type FoundCandidates = {
  /** With what stands for them in the documents. */
  readonly terms: readonly QuestionTerm[];
  readonly candidates: readonly AnalysedCandidate[];
};

/** The passages of documents that bear on a question, best first, and behind them what only vectors found, all that is to be known of them found out. */
export type FindCandidates = (input: CandidateInput, signal: AbortSignal) => Promise<FoundCandidates>;

/** Ends the turn of the event loop when enough was done in it. */
type Pause = (chars: number) => Promise<void>;

const CANDIDATE_PASSAGES = 40;
const DEFINITION_PASSAGES = 12;
/** Of one document, where the documents are given. */
const PASSAGES_PER_GIVEN_DOCUMENT = 12;
/** Passages of one question; further documents are left out. */
const MAX_SCORED_PASSAGES = 6_000;
/** A passage of as many candidates is part of the site's template. */
const MAX_REPEATS = 5;
/** Sentences of a passage that may define its subject, and what such a passage scores against the best. */
const LEADING_SENTENCES = 3;
const DEFINITION_SCORES = { first: 0.9, later: 0.7 } as const;
/** Scoring a passage, and judging whether a sentence is suspicious, take as long as analysing these. */
const CHARS_PER_SCORE = 30;
const CHARS_PER_JUDGED_SENTENCE = 100;

type Scored = AnalysedCandidate;
type Analysed = CandidateDocument & { readonly analysed: AnalysedDocument };

/** Costs 0.1 ms per 1,000 characters of documents that were not analysed yet. */
export async function findCandidates(
  analysedPassages: Pick<AnalysedPassages, 'of'>,
  input: CandidateInput,
  pause: Pause,
): Promise<FoundCandidates> {
  const { engineId, language, sourceFields, subject, documents, choice } = input;
  const found: Analysed[] = [];
  let passages = 0;
  for (const document of documents) {
    if (passages >= MAX_SCORED_PASSAGES) break;
    const analysed = await analysedPassages.of(document.row, { engineId, language, sourceFields, pause });
    passages += analysed.passages.length;
    found.push({ ...document, analysed });
  }
  const terms = withVariants(input.terms, wordsIn(found, input.askedIn), input.askedIn);
  const score = createPassageScorer(terms);
  const scored: Scored[] = [];
  for (const { score: documentScore, boost, analysed } of found) {
    for (const passage of analysed.passages) {
      scored.push({ analysed: passage, passage: passage.passage, score: boost * score(passage), documentScore });
    }
    await pause(CHARS_PER_SCORE * analysed.passages.length);
  }
  const ownTexts = withoutRepeats(scored);
  const worded = choice === 'of-each' ? bestOfEach(ownTexts) : bestOf(ownTexts, subject);
  const vectorOnly: Scored[] = [];
  for (const { row, score: documentScore, boost } of input.nearest?.documents ?? []) {
    const { passages: own } = await analysedPassages.of(row, { engineId, language, sourceFields, pause });
    for (const { passage, cosine } of vectorOnlyOf(row, own, input.nearest?.hits)) {
      const found = { documentScore, cosine, isVectorCandidate: true } as const;
      vectorOnly.push({ analysed: passage, passage: passage.passage, score: boost * score(passage), ...found });
    }
  }
  const candidates = [...worded, ...vectorOnly.filter(isNewAmong(worded, scored))];
  for (const sentence of candidates.flatMap(({ passage }) => passage.sentences)) {
    // Asked here and kept, so that the ranking, which takes no pauses, need not do it.
    void sentence.isSuspicious;
    await pause(CHARS_PER_JUDGED_SENTENCE);
  }
  return { terms, candidates };
}

function wordsIn(found: readonly Analysed[], language: string): readonly VariantWords[] {
  return found.flatMap(({ analysed: { passages, words } }) =>
    passages[0]?.passage.language === language ? [words] : [],
  );
}

/** The same text counts once, where it scores best; what many pages have is part of their template and no source. */
function withoutRepeats(scored: readonly Scored[]): readonly Scored[] {
  const byHash = Map.groupBy(scored, ({ passage }) => passage.hash);
  return [...byHash.values()].flatMap((same) => (isRepeated(same) ? [] : best(same, 1)));
}

function isRepeated(same: readonly Scored[]): boolean {
  return new Set(same.map(({ passage }) => passage.rid)).size > MAX_REPEATS;
}

type VectorOnly = { readonly passage: AnalysedPassage; readonly cosine: number };

/** Passages of the document that are hits. */
function vectorOnlyOf(
  { rid }: StoredDocument,
  analysed: readonly AnalysedPassage[],
  hits: readonly VectorCandidate[] = [],
) {
  const cosines = new Map(hits.flatMap((hit) => (hit.rid === rid ? [[hit.hash, hit.cosine] as const] : [])));
  return analysed.flatMap((passage): readonly VectorOnly[] => {
    const cosine = cosines.get(passage.passage.hash);
    // A document may say it twice.
    cosines.delete(passage.passage.hash);
    return cosine === undefined ? [] : [{ passage, cosine }];
  });
}

/** Whether a passage is not known by its words, nor part of a template. */
function isNewAmong(worded: readonly Scored[], scored: readonly Scored[]): (vectorOnly: Scored) => boolean {
  const known = new Set(worded.map(({ passage }) => passage.hash));
  return ({ passage: { hash } }) =>
    !known.has(hash) && !isRepeated(scored.filter(({ passage }) => passage.hash === hash));
}

function best(scored: readonly Scored[], limit: number): readonly Scored[] {
  return scored.toSorted(byScore).slice(0, limit);
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal;
}

/** The best passages, and behind them others that say what the subject is. */
function bestOf(scored: readonly Scored[], subject: readonly string[]): readonly Scored[] {
  const matching = best(
    scored.filter(({ score }) => score > 0),
    Number.POSITIVE_INFINITY,
  );
  const top = matching.slice(0, CANDIDATE_PASSAGES);
  const highest = top[0]?.score ?? 0;
  const others = matching.values().drop(CANDIDATE_PASSAGES);
  const defining = others.filter(({ analysed }) => defines(analysed, subject)).take(DEFINITION_PASSAGES);
  const added = defining.map((candidate) => {
    const share = candidate.passage.ordinal === 0 ? DEFINITION_SCORES.first : DEFINITION_SCORES.later;
    return { ...candidate, score: Math.max(candidate.score, share * highest) };
  });
  return best([...top, ...added], Number.POSITIVE_INFINITY);
}

/** Every given document has its part, also one that shares no word with the question. */
function bestOfEach(scored: readonly Scored[]): readonly Scored[] {
  const byDocument = Map.groupBy(scored, ({ passage }) => passage.rid);
  return best(
    [...byDocument.values()].flatMap((own) => best(own, PASSAGES_PER_GIVEN_DOCUMENT)),
    Number.POSITIVE_INFINITY,
  );
}

/** Whether a sentence is suspicious is asked last: that costs most. */
function defines({ passage, sentences }: AnalysedPassage, subject: readonly string[]): boolean {
  return passage.sentences.slice(0, LEADING_SENTENCES).some((sentence, index) => {
    const terms = sentences[index];
    if (sentence.kind === 'code' || terms === undefined) return false;
    const { text } = sentence;
    return definesSubject(subject, { text, terms, language: passage.language }) && !sentence.isSuspicious;
  });
}

/** Characters that are cut and stemmed in one turn of the event loop: some 3 ms. */
const CHARS_PER_YIELD = 15_000;

/** Finds candidates on the event loop of the caller, in turns of some milliseconds; between two the signal is asked. */
export function candidateFinder(analysedPassages: Pick<AnalysedPassages, 'of'>): FindCandidates {
  return (input, signal) => findCandidates(analysedPassages, input, createPauses(signal));
}

/** Waits for the next turn when enough was done in this one. */
function createPauses(signal: AbortSignal): Pause {
  const pause = yieldInBackgroundEvery(CHARS_PER_YIELD);
  return async (chars) => {
    await pause(chars);
    signal.throwIfAborted();
  };
}

/** Passages of documents with their stems and words, made when asked for and kept. */
export type AnalysedPassages = {
  /** Pauses between steps of some milliseconds. Those of the version of the row, in its order. */
  of(row: StoredDocument, rules: AnalysisRules): Promise<AnalysedDocument>;
  /** Estimate of what is kept. */
  readonly bytes: number;
};

type AnalysedDocument = {
  readonly passages: readonly AnalysedPassage[];
  /** Empty in languages without compounds and endings to look through. */
  readonly words: VariantWords;
};

export type AnalysisRules = Pick<CuttingRules, 'language' | 'sourceFields'> & {
  readonly engineId: number;
  /** `chars` = text that was analysed since it was asked last. */
  readonly pause: Pause;
};

type Entry = { readonly seq: number; readonly document: AnalysedDocument };

/** Two bytes per character, in the text and in its sentences, and what objects and arrays cost. */
const BYTES_PER_CHAR = 4;
const BYTES_PER_TERM = 4;
const BYTES_PER_PASSAGE = 900;
const BYTES_PER_SENTENCE = 260;
/** A word, its stem and their entry in a map. */
const BYTES_PER_WORD = 120;

/**
 * Keeps the passages of the documents that were asked for last, within `maxBytes`; of a document one version per
 * choice of fields. Cutting and stemming cost some 0.1 ms per 1,000 characters, half as much again where words have kin.
 */
export function createAnalysedPassages(options: {
  readonly maxBytes: number;
  readonly isInjected: IsInjected;
}): AnalysedPassages {
  const { maxBytes, isInjected } = options;
  const kept = createBoundedCache<Entry>(maxBytes);
  return {
    async of(row, { engineId, language, sourceFields: named, pause }) {
      // Callers name 1,000 fields, of which a document has a few.
      const sourceFields = named.filter((name) => row.fields.has(name));
      const key = JSON.stringify([engineId, row.rid, language, ...sourceFields]);
      const known = kept.get(key);
      if (known?.seq === row.seq) return known.document;
      const passages: AnalysedPassage[] = [];
      const words = new Map<string, string>();
      for (const passage of cutPassages(row, { language, sourceFields, isInjected })) {
        const before = passages.at(-1);
        passages.push(analyse(passage, before));
        addVariantWords(words, passage, before?.passage);
        await pause(passage.text.length);
      }
      const document = { passages, words };
      kept.set(
        key,
        { seq: row.seq, document },
        passages.reduce((sum, passage) => sum + bytesOf(passage), BYTES_PER_WORD * document.words.size),
      );
      return document;
    },
    get bytes() {
      return kept.bytes;
    },
  };
}

/** The title, and headings that are those of the passage before, are not analysed again. */
function analyse(passage: Passage, before: AnalysedPassage | undefined): AnalysedPassage {
  const { language, headings, title } = passage;
  const isUnderSame = before !== undefined && before.passage.headings.join('\n') === headings.join('\n');
  const own = passage.sentences.map(({ text }) => text);
  const hashes = stemHashes(isUnderSame ? own : [...own, headings.join('\n')], language);
  return {
    passage,
    sentences: hashes.slice(0, own.length),
    headings: isUnderSame ? before.headings : (hashes.at(-1) ?? new Uint32Array()),
    lastHeading: isUnderSame ? before.lastHeading : contentHashes(headings.at(-1) ?? '', language),
    title: before?.title ?? contentHashes(title, language),
  };
}

function bytesOf({ passage, sentences }: AnalysedPassage): number {
  const terms = sentences.reduce((sum, { length }) => sum + length, 0);
  const texts = BYTES_PER_CHAR * passage.text.length + BYTES_PER_TERM * terms;
  return BYTES_PER_PASSAGE + BYTES_PER_SENTENCE * sentences.length + texts;
}

/** A word of a document by its stem. */
type VariantWords = ReadonlyMap<string, string>;

/** Found on the tuning halves (decision 83): forms are the word, a compound is one thing that it names. */
const WEIGHTS = { form: 0.9, part: 0.7 } as const;
const LEAST_LETTERS = 4;
/** More ways to say one word tell nothing. */
const MAX_VARIANTS = 12;

/** Adds the words of a passage that may be variants of a question's; headings and title of `before` are known. O(text). */
function addVariantWords(words: Map<string, string>, passage: Passage, before: Passage | undefined): void {
  const { language, text, headings, title } = passage;
  if (!hasVariants(language)) return;
  const above = [title, ...headings].filter(
    (each) => each !== before?.title && before?.headings.includes(each) !== true,
  );
  for (const word of wordsOf([text, ...above].join('\n'))) {
    if (word.length >= LEAST_LETTERS) words.set(stemWord(word, language), word);
  }
}

/**
 * Terms with what stands for them among the words of documents in the question's language: other forms of the word, and
 * compounds that it is a part of. O(terms · distinct words): 1 ms for 8 terms and 3,900 words, nothing where there are
 * none.
 */
function withVariants(
  terms: readonly QuestionTerm[],
  documents: readonly VariantWords[],
  language: string,
): readonly QuestionTerm[] {
  if (!hasVariants(language)) return terms;
  const words = new Map(documents.flatMap((each) => [...each]));
  return terms.map((term) => {
    const variants = variantsOf(term, words, language).slice(0, MAX_VARIANTS);
    return variants.length === 0 ? term : { ...term, alternatives: [...term.alternatives, ...variants] };
  });
}

function variantsOf({ text }: QuestionTerm, words: VariantWords, language: string): readonly WordAlternative[] {
  if (text.length < LEAST_LETTERS) return [];
  const variantKind = variantKindOf(stemWord(text, language), language);
  const found: WordAlternative[] = [];
  for (const [stem, word] of words) {
    const kind = variantKind(stem);
    if (kind !== undefined) found.push({ words: [word], weight: WEIGHTS[kind], isSynonym: false });
  }
  return found.sort((a, b) => b.weight - a.weight);
}
