import { lazily } from '../core/lazily.ts';
import type { Passage } from '../search/passage.ts';
import { type MarkedText, visibleText } from './sanitize-answer.ts';
import {
  alignedSpansOf,
  bestWindows,
  type Check,
  type ConcatenatedSources,
  hasSameStem,
  type SentenceWindow,
  type SourceSentence,
  type SourceText,
} from './support/check.ts';
import { foreignGrounding } from './support/foreign-grounding.ts';
import { isComparedByMeaning, type MeaningCandidate, meaningCandidates } from './support/meaning-candidates.ts';
import { meantCandidate, type Nearness } from './support/meaning-check.ts';
import { namesCheck } from './support/names.ts';
import { identifiersCheck, numbersCheck } from './support/numbers.ts';
import { coverageCheck, isPrefixSuffixSplice, oppositesCheck, polarityCheck } from './support/opposites.ts';
import { isChanged, quotationCheck, splitClaimCheck } from './support/quotation.ts';
import { type ReadText, type ReadWord, readText } from './support/read-text.ts';
import { type Equivalents, restateClaim } from './support/restate-claim.ts';
import { keepsClauseContext, longestRun, repeatedShare, runsJoinAtClauses } from './support/truncation-check.ts';

/** What supports a claim: one source, and the sentence of it that says most. */
export type ClaimSupport = {
  /** Number of the source. */
  readonly reference: number;
  readonly passage: Passage;
  /** At most 300 characters. */
  readonly snippet: string;
  /** It is in another language than the claim: words tell no more than that its numbers and names stand there. */
  readonly isForeign: boolean;
};

/**
 * Why a claim was dropped: a check of its words, that what supports it has nothing to do with the question, that it says
 * something else in another language, or that it points back to a claim that was dropped.
 */
export type DropReason = SupportCheck | 'relevance' | 'code' | 'meaning' | 'antecedent';

export type Judgement =
  | { readonly supports: readonly [ClaimSupport, ...ClaimSupport[]]; readonly isReattributed: boolean }
  | { readonly supports: undefined; readonly failed: DropReason };

export type SupportContext = {
  /** Of the answer. */
  readonly language: string;
  readonly sources: readonly SourceText[];
  readonly joined: () => ConcatenatedSources;
  /** Reads the words of all sources, each in a turn of the event loop of its own; once. */
  readonly readSources: () => Promise<void>;
  /** Whether something bears on the question, in words of the source's language. */
  readonly bearsOnQuestion: (source: SourceText, sentences: readonly SourceSentence[]) => boolean;
  /** Of the languages of the sources, by code. */
  readonly equivalents: ReadonlyMap<string, Equivalents>;
  /** Undefined = words alone decide. */
  readonly nearness: Nearness | undefined;
  /** Ends the turn of the event loop when enough characters were compared with a source in it. */
  readonly pause: (chars: number) => Promise<void>;
};

/** `repeated`: words in a row that the source has word for word. */
type Found = { readonly support: ClaimSupport; readonly coverage: number; readonly repeated: () => number };
type Verdict = Found | DropReason;

/** Of the weight of the claim's words: where the writer named the source, and where the guard looks for one. */
export const NAMED_COVERAGE = 0.6;

const verifyNamed = lexicalVerifier(NAMED_COVERAGE);

const FOUND_COVERAGE = 0.7;

const verifyFound = lexicalVerifier(FOUND_COVERAGE);
const MAX_SNIPPET_CHARS = 300;

/**
 * The sources that support a claim: those that it names and that do; when none does, the one of all that covers most of
 * it. 0.5 ms for each source that is looked at, with pauses between them.
 */
export async function judgeClaim(claim: MarkedText, context: SupportContext): Promise<Judgement> {
  const reader = createReader(visibleText(claim.text));
  const claimText = reader(context.sources[0]?.language ?? 'en');
  const quotation = judgeQuotation(claim, context, { reader, claimText });
  if (quotation !== undefined) return quotation;
  await context.readSources();
  const judgement: Judgement = isStitched(claimText, context.joined())
    ? { supports: undefined, failed: 'halves' }
    : await judgeSupport(claim, context, { reader, claimText });
  if (judgement.supports === undefined) {
    const { failed } = judgement;
    return (await judgeMeaning(claim, context, { reader, claimText, failed })) ?? judgement;
  }
  await context.pause(claim.text.length * context.sources.length);
  return isChanged(claimText, context.sources) ? { supports: undefined, failed: 'quotation' } : judgement;
}

/**
 * What becomes of a claim that is one sentence of the only source that it names, word for word: no other place has more
 * of it, so it is neither put together nor changed. Undefined for all others, and for one that has nothing to do with the
 * question. Reads the words of that sentence alone: some 50 µs, where all checks take 0.5 ms a source.
 */
function judgeQuotation(
  claim: MarkedText,
  context: SupportContext,
  { reader, claimText }: ReadClaim,
): Judgement | undefined {
  const [reference, ...more] = claim.references;
  const source = context.sources.find((each) => each.reference === reference);
  if (source === undefined || more.length > 0 || source.language !== context.sources[0]?.language) return undefined;
  const [sentence] = quotedWindow(claimText, source)?.sentences ?? [];
  if (sentence === undefined || !haveSameWords(claimText, sentence.read)) return undefined;
  // The same words need not be read twice.
  const sameReader: Reader = (language) => (language === source.language ? sentence.read : reader(language));
  const verdict = verdictOf(source, { claim, reader: sameReader, context, verify: verifyNamed });
  return isFound(verdict) ? { supports: [verdict.support], isReattributed: false } : undefined;
}

function haveSameWords(claim: ReadText, sentence: ReadText): boolean {
  // Blanks around a text change none of its words.
  if (claim.text.trim() === sentence.text.trim()) return true;
  const [words, others] = [claim.words, sentence.words];
  const isSame = (own: ReadWord, other: ReadWord | undefined) =>
    own.word === other?.word && own.stem === other.stem && own.weight === other.weight;
  return words.length === others.length && words.every((word, at) => isSame(word, others[at]));
}

/** Failures of a check that another wording explains: what fails any other one says something else. */
const OF_WORDING: ReadonlySet<DropReason> = new Set(['coverage', 'halves', 'numbers', 'quotation']);

/**
 * A claim that is worded in another way than all sources, judged by meaning: of the sentences with which it disagrees in
 * nothing, one says the same. What repeats a source word for word says the rest of it otherwise on purpose.
 */
async function judgeMeaning(
  claim: MarkedText,
  context: SupportContext,
  { reader, claimText, failed }: ReadClaim & { readonly failed: DropReason },
): Promise<Judgement | undefined> {
  const { nearness, sources } = context;
  const joined = context.joined();
  const isCopy = longestRun(claimText, joined) > REPEATED_WORDS || repeatedShare(claimText, joined) >= REPEATED;
  if (nearness === undefined || !OF_WORDING.has(failed) || isCopy) return undefined;
  const named = sources.filter(({ reference }) => claim.references.includes(reference));
  for (const compared of [named, sources]) {
    const candidates: MeaningCandidate[] = [];
    for (const source of compared) {
      await context.pause(claim.text.length);
      candidates.push(...candidatesOf(reader, source, context));
    }
    const meant = await meantCandidate(claimText, candidates.sort(byCoverage), nearness);
    if (meant === undefined || !context.bearsOnQuestion(meant.window.source, meant.sentences)) continue;
    const support = supportOf(claimText, meant.window.source, meant.sentences);
    return { supports: [support], isReattributed: compared === sources };
  }
  return undefined;
}

function candidatesOf(reader: Reader, source: SourceText, { language, equivalents }: SupportContext) {
  if (source.language !== language || !isComparedByMeaning(language)) return [];
  const claim = reader(language);
  const [restated] = restateClaim(claim, source, equivalents.get(language) ?? []);
  return meaningCandidates(claim, source, restated);
}

function byCoverage(a: MeaningCandidate, b: MeaningCandidate): number {
  return b.window.coverage - a.window.coverage;
}

/** Put together of parts of sentences that do not belong together. */
function isStitched(claimText: ReadText, joined: ConcatenatedSources): boolean {
  return (
    !runsJoinAtClauses(claimText, joined) ||
    !keepsClauseContext(claimText, joined) ||
    isPrefixSuffixSplice(claimText, joined)
  );
}

type ReadClaim = { readonly reader: Reader; readonly claimText: ReadText };

async function judgeSupport(
  claim: MarkedText,
  context: SupportContext,
  { reader, claimText }: ReadClaim,
): Promise<Judgement> {
  const { sources } = context;
  const named = repeatingBest(
    claimText,
    claim.references.flatMap((reference) => sources.find((source) => source.reference === reference) ?? []),
    sources,
  );
  const verdicts = await verdictsOf(named, { claim, reader, context, verify: verifyNamed });
  const [first, ...more] = verdicts.filter(isFound);
  if (first !== undefined)
    return { supports: [first.support, ...more.map(({ support }) => support)], isReattributed: false };
  const others = await verdictsOf(sources, { claim, reader, context, verify: verifyFound });
  const [best] = others.filter(isFound).sort((a, b) => b.repeated() - a.repeated() || b.coverage - a.coverage);
  if (best !== undefined) return { supports: [best.support], isReattributed: true };
  const reasons = [...verdicts, ...others].filter((verdict) => typeof verdict === 'string');
  return { supports: undefined, failed: reasons.find((reason) => reason !== 'coverage') ?? 'coverage' };
}

/** Words in a row, and share of a claim, from which a source repeats it. */
const REPEATED_WORDS = 5;
const REPEATED = 0.6;

/**
 * Of the named sources those that say it as well as any: where another one has it word for word, one that has not half of
 * it was named by mistake.
 */
function repeatingBest(claimText: ReadText, named: readonly SourceText[], sources: readonly SourceText[]) {
  if (named.length === 0 || !isRepetition(claimText, sources)) return named;
  const longest = Math.max(...sources.map((source) => longestRun(claimText, source)));
  return named.filter((source) => longestRun(claimText, source) * 2 > longest);
}

/** One of the sources has most of it word for word: what it says otherwise, it says on purpose. */
function isRepetition(claim: ReadText, sources: readonly SourceText[]): boolean {
  const longest = Math.max(...sources.map((source) => longestRun(claim, source)));
  return longest >= Math.max(REPEATED_WORDS, claim.words.length * REPEATED);
}

function isFound(verdict: Verdict): verdict is Found {
  return typeof verdict !== 'string';
}

type Reader = (language: string) => ReadText;

/** The same text as words of several languages, each read once. */
function createReader(text: string): Reader {
  const byLanguage = new Map<string, ReadText>();
  return (language) => {
    const known = byLanguage.get(language) ?? readText(text, language);
    byLanguage.set(language, known);
    return known;
  };
}

type Verification = {
  readonly claim: MarkedText;
  readonly reader: Reader;
  readonly context: SupportContext;
  readonly verify: SentenceVerifier;
};

async function verdictsOf(sources: readonly SourceText[], verification: Verification): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const source of sources) {
    await verification.context.pause(verification.claim.text.length);
    verdicts.push(verdictOf(source, verification));
  }
  return verdicts;
}

function verdictOf(source: SourceText, { claim, reader, context, verify }: Verification): Verdict {
  const claimText = reader(source.language);
  const verdict = verifyClaim(claimText, source, { verify, context });
  if (verdict.isSupported) {
    const { sentences, coverage } = verdict.window;
    if (!context.bearsOnQuestion(source, sentences)) return 'relevance';
    return {
      support: supportOf(verdict.claim ?? claimText, source, sentences),
      coverage,
      repeated: lazily(() => longestRun(claimText, source)),
    };
  }
  for (const { reference, words } of claim.grounding) {
    if (reference !== source.reference) continue;
    const said = { claimText: reader(context.language), language: context.language };
    const sentences = foreignGrounding(said, words, source);
    if (sentences === undefined) continue;
    return { support: { ...supportOf(claimText, source, sentences), isForeign: true }, coverage: 0, repeated: () => 0 };
  }
  return verdict.failed;
}

type ClaimVerification = Pick<Verification, 'verify' | 'context'>;

/** As the claim is worded, or else in the words of the source. */
function verifyClaim(claim: ReadText, source: SourceText, { verify, context }: ClaimVerification): SupportVerdict {
  const verdict = verify(claim, source);
  if (verdict.isSupported || isRepetition(claim, [source])) return verdict;
  for (const restated of restateClaim(claim, source, context.equivalents.get(source.language) ?? [])) {
    const other = verify(restated, source);
    if (!other.isSupported || isStitched(restated, context.joined())) continue;
    if (keepsOpposites(claim, other.window)) return { ...other, claim: restated };
  }
  return verdict;
}

/** A word of which the sentences have the opposite is not said otherwise, whatever a thesaurus has for it. */
function keepsOpposites(claim: ReadText, window: SentenceWindow): boolean {
  return oppositesCheck({ claim, window, spans: alignedSpansOf(claim, window), language: window.source.language });
}

/** Names the sentence that the claim quotes, or else the one that has most of its words and fewest others. */
export function supportOf(claimText: ReadText, source: SourceText, sentences: readonly SourceSentence[]): ClaimSupport {
  const rate = ({ read }: SourceSentence) => ({
    quoted: quotedChars(claimText, read),
    shared: sharedCount(claimText, read),
    own: read.stems.size,
  });
  // The only one is the best unread.
  const rated = sentences.length === 1 ? [] : sentences.map((sentence) => ({ sentence, ...rate(sentence) }));
  rated.sort((a, b) => b.quoted - a.quoted || b.shared - a.shared || a.own - b.own);
  const best = rated[0]?.sentence ?? sentences[0];
  return {
    reference: source.reference,
    passage: best?.passage ?? source.passage,
    snippet: shorten(best?.read.text ?? ''),
    isForeign: false,
  };
}

/** Characters of a claim and a sentence of which one stands in the other as it is; 0 = neither does. */
function quotedChars(claim: ReadText, sentence: ReadText): number {
  const [said, there] = [bare(claim.plain), bare(sentence.plain)];
  return said.includes(there) || there.includes(said) ? Math.min(said.length, there.length) : 0;
}

function sharedCount({ stems }: ReadText, sentence: ReadText): number {
  return stems.values().reduce((count, stem) => count + (hasSameStem(sentence.stems, stem) ? 1 : 0), 0);
}

function shorten(text: string): string {
  if (text.length <= MAX_SNIPPET_CHARS) return text;
  const blank = text.lastIndexOf(' ', MAX_SNIPPET_CHARS - 1);
  return `${text.slice(0, blank > 0 ? blank : MAX_SNIPPET_CHARS - 1).toWellFormed()}…`;
}

export const SUPPORT_CHECKS = [
  'coverage',
  'halves',
  'numbers',
  'identifiers',
  'names',
  'polarity',
  'opposites',
  'quotation',
] as const;
export type SupportCheck = (typeof SUPPORT_CHECKS)[number];

/** `claim`: in the words that it is supported in, where these are not its own. */
export type SupportVerdict =
  | { readonly isSupported: true; readonly window: SentenceWindow; readonly claim?: ReadText }
  | { readonly isSupported: false; readonly failed: SupportCheck };

/** Decides whether a source supports a claim. Another one, of meaning, may stand behind the lexical one. */
export type SentenceVerifier = (claim: ReadText, source: SourceText) => SupportVerdict;

/**
 * The lexical verifier: three consecutive sentences of the source, its title and headings have to stand all eight
 * checks (each in its file). Words alone decide: it knows no meaning, so it lets pass what nobody wrote in these words
 * rather than what contradicts them. `minCoverage` is one of the two above. A claim of a sentence costs 0.5 ms a source.
 */
export function lexicalVerifier(minCoverage: number): SentenceVerifier {
  const checks: readonly (readonly [SupportCheck, Check])[] = [
    ['coverage', coverageCheck(minCoverage)],
    ['halves', splitClaimCheck],
    ['numbers', numbersCheck],
    ['identifiers', identifiersCheck],
    ['names', namesCheck],
    ['polarity', polarityCheck],
    ['opposites', oppositesCheck],
    ['quotation', quotationCheck],
  ];
  return (claim, source) => {
    const quoted = quotedWindow(claim, source);
    if (quoted !== undefined) return { isSupported: true, window: quoted };
    let failed: SupportCheck | undefined;
    for (const window of bestWindows(claim, source)) {
      const comparison = { claim, window, spans: alignedSpansOf(claim, window), language: source.language };
      const failure = checks.find(([, holds]) => !holds(comparison));
      if (failure === undefined) return { isSupported: true, window };
      failed ??= failure[0];
    }
    return { isSupported: false, failed: failed ?? 'coverage' };
  };
}

/** A sentence of the source as it stands needs no check, however little it says. */
function quotedWindow(claim: ReadText, source: SourceText): SentenceWindow | undefined {
  const text = bare(claim.plain);
  const sentence = source.sentences.find(({ read }) => bare(read.plain) === text);
  if (text === '' || sentence === undefined) return undefined;
  return { sentences: [sentence], source, coverage: 1, isCovered: () => true };
}

/** Without the mark of an item and the last full stop. */
function bare(plain: string): string {
  return plain
    .replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '')
    .replace(/[\s.]+$/, '')
    .trimStart();
}
