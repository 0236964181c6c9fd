import { yieldInBackground, yieldInBackgroundEvery } from '../core/yield.ts';
import { withoutInvisible } from '../text/invisible-characters.ts';
import { readMarkers, spaceDigits } from './answer-markers.ts';
import { createSegmentSplitter, type RawSegment } from './answer-segments.ts';
import { createLeadInBuffer } from './buffered-lead-ins.ts';
import { type ClaimSupport, type DropReason, judgeClaim, type SupportContext } from './claim-support.ts';
import { findCodeSupport } from './code-support.ts';
import { NO_ANSWER } from './composer.ts';
import { type CompareForeign, withoutOtherMeanings } from './foreign-supports.ts';
import { questionRelevance } from './question-relevance.ts';
import { type AllowedUrls, allowUrls, sanitizeAnswer } from './sanitize-answer.ts';
import { segmentKindOf } from './segment-kind.ts';
import type { Source } from './source.ts';
import { concatenateSources } from './support/concatenated-sources.ts';
import { type ReadText, readText } from './support/read-text.ts';
import { readSource, type SourceText } from './support/source-text.ts';

export type GuardOptions = {
  /** What the text may be made of; its allow-list of links are their pages. */
  readonly sources: readonly Source[];
  readonly question: string;
  /** Of the answer: a language code. */
  readonly language: string;
  /** `first-use`: sources of one page count as one, and a segment names it once. `as-given`: each source by itself. */
  readonly numbering: 'first-use' | 'as-given';
  /** Undefined = words alone decide what sentences in other languages support. */
  readonly compareForeign?: CompareForeign | undefined;
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
 * 0.05 ms for a delta, 0.5 ms for each source that a segment is compared with; memory of one segment. Sources are read when the
 * first segment has come; each of them has a turn of the event loop of its own, and a sentence is compared with two of
 * them in one. Answers design 8.
 */
export async function* guardAnswer(
  deltas: AsyncIterable<string>,
  options: GuardOptions,
): AsyncGenerator<GuardedSegment, GuardCounters> {
  const reader = createSegmentSplitter(options.language);
  let judge: Judge | undefined;
  async function* verified(segments: readonly RawSegment[]): AsyncGenerator<GuardedSegment> {
    for (const segment of segments) {
      judge ??= createJudge(options, await readInSlices(options.sources));
      const guarded = await judge.take(segment);
      if (guarded !== undefined) yield guarded;
    }
  }
  let left = MAX_ANSWER_CHARS;
  for await (const delta of deltas) {
    yield* verified(reader.push(delta.slice(0, left)));
    left -= delta.length;
    if (left <= 0) break;
  }
  yield* verified(reader.end());
  return judge?.counters() ?? NOTHING_SAID;
}

const NOTHING_SAID: GuardCounters = { claims: 0, kept: 0, reattributed: 0, dropped: {}, isNoAnswer: false };

async function readInSlices(sources: readonly Source[]): Promise<readonly SourceText[]> {
  const texts: SourceText[] = [];
  for (const source of sources) {
    await yieldInBackground();
    texts.push(readSource(source));
  }
  return texts;
}

type Judge = {
  /** Undefined when the segment is dropped, or held. */
  readonly take: (segment: RawSegment) => Promise<GuardedSegment | undefined>;
  readonly counters: () => GuardCounters;
};

function createJudge(options: GuardOptions, texts: readonly SourceText[]): Judge {
  const { sources, question, numbering, compareForeign } = options;
  const allowed = allowUrls(sources.flatMap(({ passages }) => passages.map(({ url }) => url)));
  const context: SupportContext = {
    language: options.language,
    sources: texts,
    joined: concatenateSources(texts),
    bearsOnQuestion: questionRelevance(question, texts),
    pause: yieldInBackgroundEvery(COMPARED_PER_YIELD),
  };
  const language = texts[0]?.language ?? 'en';
  const leadIns = createLeadInBuffer(texts, question);
  const count = { claims: 0, kept: 0, reattributed: 0, segments: 0, refusals: 0 };
  const dropped: Partial<Record<DropReason, number>> = {};
  const references = new Set(sources.map(({ reference }) => reference));
  const keep = (text: string, supports: readonly ClaimSupport[], read?: ReadText): GuardedSegment | undefined => {
    const [first, ...more] = numbering === 'first-use' ? oncePerPage(supports) : supports;
    if (first === undefined) return undefined;
    count.kept++;
    return { text: leadIns.release(text, read), supports: [first, ...more] };
  };
  const drop = (reason: DropReason, text: string): undefined => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    leadIns.drop(text);
  };

  function takeCode(text: string): GuardedSegment | undefined {
    count.claims++;
    const support = findCodeSupport(text, texts);
    return support === undefined ? drop('code', text) : keep(spaceDigits(text), [support]);
  }

  async function takeProse(text: string): Promise<GuardedSegment | undefined> {
    const marked = readMarkers(text, Math.max(0, ...references));
    const clean = { ...marked, text: cleanSegment(marked.text, allowed) };
    const read = readText(clean.text, language);
    const kind = segmentKindOf(clean.text, read);
    if (kind !== 'claim') return leadIns.buffer({ text: clean.text, read, kind });
    count.claims++;
    const judgement = await judgeClaim(clean, context);
    if (judgement.supports === undefined) return drop(judgement.failed, clean.text);
    const supports = await withoutOtherMeanings(clean.text, judgement.supports, compareForeign);
    if (supports.length === 0) return drop('meaning', clean.text);
    if (judgement.isReattributed) count.reattributed++;
    return keep(clean.text, supports, read);
  }

  return {
    async take(segment) {
      const text = withoutInvisible(segment.text);
      await context.pause(text.length * sources.length);
      if (text.trim() === '') return leadIns.pass(text);
      count.segments++;
      if (text.includes(NO_ANSWER)) {
        if (isNoAnswer(text)) count.refusals++;
        return leadIns.drop(text);
      }
      if (segment.kind === 'broken-code') return leadIns.drop(text);
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

function cleanSegment(text: string, allowed: AllowedUrls): string {
  return sanitizeAnswer(text, allowed)
    .replace(/(?<=\S)[ \t]+(?=[.,;!?](?:\s|$))/g, '')
    .replace(/(?<=\S)[ \t]{2,}(?=\S)/g, ' ');
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
