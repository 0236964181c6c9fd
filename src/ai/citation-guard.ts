import { lazily } from '../core/lazily.ts';
import { yieldInBackground, yieldInBackgroundEvery } from '../core/yield.ts';
import { wordGroups } from '../search/question-terms.ts';
import { hasDependentOpener } from '../text/dependent-openers.ts';
import { withoutInvisible } from '../text/disguised-text.ts';
import { isKoreanAsking, koreanStem } from '../text/korean-words.ts';
import { isStrayCodeWord } from './asked-value.ts';
import { createLeadInBuffer, createSegmentSplitter, type RawSegment, segmentKindOf } from './buffered-lead-ins.ts';
import { type ClaimSupport, type DropReason, judgeClaim, type SupportContext, supportOf } from './claim-support.ts';
import { NO_ANSWER } from './composer.ts';
import { withoutForeignAddresses } from './foreign-addresses.ts';
import type { AnalysedQuestion } from './question-types.ts';
import {
  type AllowedUrls,
  allowUrls,
  type MarkedText,
  readMarkers,
  sanitizeAnswer,
  spaceDigits,
  visibleText,
} from './sanitize-answer.ts';
import type { Source } from './sources.ts';
import { concatenateSources, hasSameStem, readSource, type SourceSentence, type SourceText } from './support/check.ts';
import type { Nearness } from './support/meaning-check.ts';
import { identifiersOf } from './support/numbers.ts';
import { type ReadText, readText } from './support/read-text.ts';
import type { Equivalents } from './support/restate-claim.ts';

export type GuardOptions = {
  /** What the text may be made of; its allow-list of links are their pages. */
  readonly sources: readonly Source[];
  readonly question: string;
  /** Of the answer: a language code. */
  readonly language: string;
  /** `first-use`: sources of one page count as one, and a segment names it once. `as-given`: each source by itself. */
  readonly numbering: 'first-use' | 'as-given';
  /** Whether claims may hold addresses of other sites than those of the sources; absent: they may. */
  readonly hasAddresses?: boolean | undefined;
  /** What is asked for; absent: no value, so that claims may hold any code. */
  readonly asked?: Pick<AnalysedQuestion, 'type' | 'asksFor'> | undefined;
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly compareForeign?: CompareForeign | undefined;
  /** Undefined = words alone decide what sentences in the language of a source say. */
  readonly nearness?: Nearness | undefined;
  /** Told each claim that is dropped, as a reader would have seen it. */
  readonly onRejected?: ((claim: string, reason: DropReason) => void) | undefined;
};

/** A part of an answer that its sources support. */
export type GuardedSegment = {
  /** Markdown without markers, from the blank or line feeds before it on. */
  readonly text: string;
  readonly supports: readonly [ClaimSupport, ...ClaimSupport[]];
};

/** What became of the claims of a text. */
export type GuardCounters = {
  readonly claims: number;
  readonly kept: number;
  /** Of `kept`: those that named no source that supports them. */
  readonly reattributed: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** The text said that the sources hold no answer, and nothing else. */
  readonly isNoAnswer: boolean;
};

/** A longer answer is cut: four times what a model may write. */
const MAX_ANSWER_CHARS = 64_000;
/** Characters of segments times sources that are compared in one turn of the event loop: a sentence with two sources. */
const COMPARED_PER_YIELD = 200;

/**
 * Lets through what the sources support: segments of the text that stand the checks against a source that they name, or
 * against any other, without images, HTML, foreign links and markers. Holds back one segment at most, and headings until
 * what they open is verified; any split of the text into deltas gives the same segments. Leaving it early closes `deltas`.
 * 0.05 ms for a delta, 0.5 ms for each source that a segment is compared with, 0.1 ms for one that quotes a sentence word
 * for word; memory of one segment. Sources are split when the first segment has come, and their words read when one of
 * them is no quote; each has a turn of the event loop of its own, and a sentence is compared with two of them in one.
 * Answers design 8.
 */
export async function* guardAnswer(
  deltas: AsyncIterable<string>,
  options: GuardOptions,
): AsyncGenerator<GuardedSegment, GuardCounters> {
  let judge: Judge | undefined;
  for await (const segment of segmentsOf(deltas, options.language)) {
    judge ??= createJudge(options, await readContext(options));
    const guarded = await judge.take(segment);
    if (guarded !== undefined) yield guarded;
  }
  return judge?.counters() ?? NOTHING_SAID;
}

async function* segmentsOf(deltas: AsyncIterable<string>, language: string): AsyncGenerator<RawSegment> {
  const reader = createSegmentSplitter(language);
  let left = MAX_ANSWER_CHARS;
  for await (const delta of deltas) {
    yield* reader.push(delta.slice(0, left));
    left -= delta.length;
    if (left <= 0) break;
  }
  yield* reader.end();
}

const NOTHING_SAID: GuardCounters = { claims: 0, kept: 0, reattributed: 0, dropped: {}, isNoAnswer: false };

async function readContext({ sources, language, question, nearness }: GuardOptions): Promise<SupportContext> {
  const texts = await splitInSlices(sources);
  return {
    language,
    sources: texts,
    joined: lazily(() => concatenateSources(texts)),
    readSources: lazily(() => readInSlices(texts)),
    bearsOnQuestion: questionRelevance(question, texts),
    equivalents: await equivalentsOf(sources),
    nearness,
    pause: yieldInBackgroundEvery(COMPARED_PER_YIELD),
  };
}

async function splitInSlices(sources: readonly Source[]): Promise<readonly SourceText[]> {
  const texts: SourceText[] = [];
  for (const source of sources) {
    await yieldInBackground();
    texts.push(readSource(source));
  }
  return texts;
}

/** Reads the words of all sources. */
async function readInSlices(sources: readonly SourceText[]): Promise<void> {
  for (const source of sources) {
    await yieldInBackground();
    void source.places;
    void source.sentencesByStem;
  }
}

/** What stands for each other in the languages of the sources. */
async function equivalentsOf(sources: readonly Source[]): Promise<ReadonlyMap<string, Equivalents>> {
  const byLanguage = new Map<string, Equivalents>();
  for (const { passages } of sources) {
    const { language } = passages[0];
    if (byLanguage.has(language)) continue;
    const tables = [];
    for (const kind of ['word-forms', 'thesaurus'] as const) tables.push(await wordGroups(kind, language));
    byLanguage.set(
      language,
      tables.filter((table) => table !== undefined),
    );
  }
  return byLanguage;
}

type Judge = {
  /** Undefined when the segment is dropped, or held. */
  readonly take: (segment: RawSegment) => Promise<GuardedSegment | undefined>;
  readonly counters: () => GuardCounters;
};

function createJudge(options: GuardOptions, context: SupportContext): Judge {
  const { sources, question, numbering, compareForeign } = options;
  const { sources: texts } = context;
  const urls = sources.flatMap(({ passages }) => passages.map(({ url }) => url));
  const allowed = allowUrls(urls);
  const language = texts[0]?.language ?? 'en';
  const leadIns = createLeadInBuffer(texts, question);
  const count = { claims: 0, kept: 0, reattributed: 0, segments: 0, refusals: 0 };
  const dropped: Partial<Record<DropReason, number>> = {};
  const references = new Set(sources.map(({ reference }) => reference));
  const keep = (text: string, supports: readonly ClaimSupport[], read?: ReadText): GuardedSegment | undefined => {
    const [first, ...more] = numbering === 'first-use' ? oncePerPage(supports) : supports;
    if (first === undefined) return undefined;
    count.kept++;
    isBehindDropped = false;
    return { text: leadIns.release(text, read), supports: [first, ...more] };
  };
  /** The claim before was dropped: what points back to it falls with it. */
  let isBehindDropped = false;
  const drop = (reason: DropReason, text: string): undefined => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    isBehindDropped = true;
    options.onRejected?.(visibleText(text).trim(), reason);
    leadIns.drop(text);
  };

  async function takeCode(text: string): Promise<GuardedSegment | undefined> {
    await context.readSources();
    count.claims++;
    const support = findCodeSupport(text, texts);
    return support === undefined ? drop('code', text) : keep(spaceDigits(text), [support]);
  }

  async function takeProse(text: string): Promise<GuardedSegment | undefined> {
    const clean = cleanMarked(readMarkers(text, Math.max(0, ...references)), allowed);
    const read = readText(clean.text, language);
    const kind = segmentKindOf(clean.text, read);
    if (kind === 'opening') await context.readSources();
    if (kind !== 'claim') return leadIns.buffer({ text: clean.text, read, kind });
    count.claims++;
    const isDependent = isBehindDropped && hasDependentOpener(clean.text, options.language);
    if (isDependent) return drop('antecedent', clean.text);
    const judgement = await judgeClaim(clean, context);
    if (judgement.supports === undefined) return drop(judgement.failed, clean.text);
    const supports = await withoutOtherMeanings(clean.text, judgement.supports, compareForeign);
    if (supports.length === 0) return drop('meaning', clean.text);
    const told = toldOf(clean.text, { ...options, language, urls });
    if (told === undefined) return drop('relevance', clean.text);
    if (judgement.isReattributed) count.reattributed++;
    return keep(told, supports, read);
  }

  return {
    async take(segment) {
      const text = withoutInvisible(segment.text);
      await context.pause(text.length * sources.length);
      if (text.trim() === '') return leadIns.pass(text);
      count.segments++;
      if (isNoAnswer(text)) count.refusals++;
      if (text.includes(NO_ANSWER) || segment.kind === 'broken-code') return leadIns.drop(text);
      return segment.kind === 'code' ? takeCode(text) : takeProse(text);
    },
    counters: () => {
      const { claims, kept, reattributed, segments, refusals } = count;
      return { claims, kept, reattributed, dropped, isNoAnswer: segments === 1 && refusals === 1 };
    },
  };
}

/** Marks and quotes around it aside. */
function isNoAnswer(text: string): boolean {
  return text.replace(/\[[^\]\n]{0,40}\]|[^\p{L}_]/gu, '') === NO_ANSWER;
}

function cleanMarked(marked: MarkedText, allowed: AllowedUrls): MarkedText {
  const text = sanitizeAnswer(marked.text, allowed)
    .replace(/(?<=\S)[ \t]+(?=[.,;!?](?:\s|$))/g, '')
    .replace(/(?<=\S)[ \t]{2,}(?=\S)/g, ' ');
  return { ...marked, text };
}

type Telling = Pick<GuardOptions, 'hasAddresses' | 'asked' | 'language'> & { readonly urls: readonly string[] };

/** What is told of a claim that is supported; undefined when that is no value but an address, or a code. */
function toldOf(text: string, { hasAddresses = true, asked, language, urls }: Telling): string | undefined {
  const rest = hasAddresses ? text : withoutForeignAddresses(text, urls);
  if (rest !== text && !/\p{N}/u.test(rest)) return undefined;
  return asked !== undefined && isStrayCodeWord(rest, asked, language) ? undefined : rest;
}

function oncePerPage(supports: readonly ClaimSupport[]): readonly ClaimSupport[] {
  const pages = new Set<string>();
  return supports.filter(({ passage }) => {
    const page = `${passage.crawlerId} ${passage.documentId}`;
    const isNew = !pages.has(page);
    pages.add(page);
    return isNew;
  });
}

/** Of the words and numbers of a block. */
const FOUND_TOKENS = 0.9;
const TOKEN = /[\p{L}\p{N}_]+/gu;

/** The source that has nearly all words of a fenced block and all its identifiers; undefined when none has. Linear. */
function findCodeSupport(block: string, sources: readonly SourceText[]): ClaimSupport | undefined {
  const code = bodyOf(block);
  const tokens = tokensOf(code);
  if (tokens.length === 0) return undefined;
  for (const source of sources) {
    const text = source.sentences.map(({ read }) => read.plain).join('\n');
    const there = new Set(tokensOf(text));
    const found = tokens.filter((token) => there.has(token)).length;
    const hasAll =
      found >= tokens.length * FOUND_TOKENS && identifiersOf(code).every((identifier) => text.includes(identifier));
    if (hasAll) return supportOf(readText(code, source.language), source, source.sentences);
  }
  return undefined;
}

/** Without the fences and the name of the language. */
function bodyOf(block: string): string {
  return block.trim().split('\n').slice(1, -1).join('\n');
}

function tokensOf(text: string): readonly string[] {
  return text.toLowerCase().match(TOKEN) ?? [];
}

/** Whether a claim says what a sentence in another language says. */
type CompareForeign = (claimText: string, sentence: string) => Promise<boolean>;

/**
 * The supports of a claim, those in other languages as far as they say the same; all of them when `compare` is undefined.
 */
async function withoutOtherMeanings(
  text: string,
  supports: readonly ClaimSupport[],
  compare: CompareForeign | undefined,
): Promise<readonly ClaimSupport[]> {
  if (compare === undefined || !supports.some(({ isForeign }) => isForeign)) return supports;
  const claimText = visibleText(text).trim();
  const same: ClaimSupport[] = [];
  for (const support of supports) {
    if (!support.isForeign || (await compare(claimText, support.snippet))) same.push(support);
  }
  return same;
}

/**
 * Whether sentences of a source, or title and headings above them, share a word with the question: a planted sentence
 * mostly does not. Where no source shares one, its words are synonyms or of another language, and all bear on it.
 */
function questionRelevance(
  question: string,
  sources: readonly SourceText[],
): (source: SourceText, sentences: readonly SourceSentence[]) => boolean {
  const stemsByLanguage = new Map(
    sources.map(({ language }) => {
      const { stems } = readText(question, language);
      return [language, [...(language === 'ko' ? bareWords(stems) : stems)]] as const;
    }),
  );
  const bears = (source: SourceText, sentences: readonly SourceSentence[]): boolean => {
    const stems = stemsByLanguage.get(source.language) ?? [];
    const shares = (read: ReadText) => {
      const said = source.language === 'ko' ? bareWords(read.stems) : read.stems;
      return stems.some((stem) => hasSameStem(said, stem));
    };
    return shares(source.headings) || sentences.some(({ read }) => shares(read));
  };
  // What some sentences share, all of them do: the others are read where these share nothing.
  return (source, sentences) => bears(source, sentences) || !bears(source, source.sentences);
}

/** Without particles: what is asked about has another one than what is said about it. */
function bareWords(words: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].filter((word) => !isKoreanAsking(word)).map(koreanStem));
}
