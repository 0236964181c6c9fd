import type { Passage } from '../search/passage.ts';
import type { MarkedText } from './answer-markers.ts';
import { foreignGrounding } from './foreign-grounding.ts';
import { visibleText } from './sanitize-answer.ts';
import { FOUND_COVERAGE, lexicalVerifier, NAMED_COVERAGE, type SupportCheck } from './sentence-support.ts';
import type { ConcatenatedSources } from './support/concatenated-sources.ts';
import { longestRun, runsJoinAtClauses } from './support/copied-runs.ts';
import { type ReadText, readText } from './support/read-text.ts';
import { isChanged } from './support/repetition.ts';
import { hasSameStem } from './support/same-stem.ts';
import type { SourceSentence, SourceText } from './support/source-text.ts';
import { isPrefixSuffixSplice } from './support/splice-check.ts';
import { keepsClauseContext } from './support/truncation-check.ts';

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
 * Why a claim was dropped: a check of its words, that what supports it has nothing to do with the question, or that it
 * says something else in another language.
 */
export type DropReason = SupportCheck | 'relevance' | 'code' | 'meaning';

export type Judgement =
  | { readonly supports: readonly [ClaimSupport, ...ClaimSupport[]]; readonly isReattributed: boolean }
  | { readonly supports: undefined; readonly failed: DropReason };

export type SupportContext = {
  /** Of the answer. */
  readonly language: string;
  readonly sources: readonly SourceText[];
  readonly joined: ConcatenatedSources;
  /** Whether something bears on the question, in words of the source's language. */
  readonly bearsOnQuestion: (source: SourceText, sentences: readonly SourceSentence[]) => boolean;
  /** Ends the turn of the event loop when enough characters were compared with a source in it. */
  readonly pause: (chars: number) => Promise<void>;
};

type Found = { readonly support: ClaimSupport; readonly coverage: number; readonly repeated: number };
type Verdict = Found | DropReason;

const verifyNamed = lexicalVerifier(NAMED_COVERAGE);
const verifyFound = lexicalVerifier(FOUND_COVERAGE);
const MAX_SNIPPET_CHARS = 300;

/**
 * The sources that support a claim: those that it names and that do; when none does, the one of all that covers most of
 * it. 0.5 ms for each source that is looked at, with pauses between them.
 */
export async function judgeClaim(claim: MarkedText, context: SupportContext): Promise<Judgement> {
  const reader = createReader(visibleText(claim.text));
  const claimText = reader(context.sources[0]?.language ?? 'en');
  if (isStitched(claimText, context.joined)) return { supports: undefined, failed: 'halves' };
  const judgement = await judgeSupport(claim, context, { reader, claimText });
  if (judgement.supports === undefined) return judgement;
  await context.pause(claim.text.length * context.sources.length);
  return isChanged(claimText, context.sources) ? { supports: undefined, failed: 'quotation' } : judgement;
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
  const [best] = others.filter(isFound).sort((a, b) => b.repeated - a.repeated || b.coverage - a.coverage);
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
  if (named.length === 0) return named;
  const longest = Math.max(...sources.map((source) => longestRun(claimText, source)));
  const isRepeated = longest >= Math.max(REPEATED_WORDS, claimText.words.length * REPEATED);
  return isRepeated ? named.filter((source) => longestRun(claimText, source) * 2 > longest) : named;
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
  readonly verify: ReturnType<typeof lexicalVerifier>;
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
  const verdict = verify(claimText, source);
  if (verdict.isSupported) {
    const { sentences, coverage } = verdict.window;
    if (!context.bearsOnQuestion(source, sentences)) return 'relevance';
    return { support: supportOf(claimText, source, sentences), coverage, repeated: longestRun(claimText, source) };
  }
  for (const { reference, words } of claim.grounding) {
    if (reference !== source.reference) continue;
    const said = { claimText: reader(context.language), language: context.language };
    const sentences = foreignGrounding(said, words, source);
    if (sentences === undefined) continue;
    return { support: { ...supportOf(claimText, source, sentences), isForeign: true }, coverage: 0, repeated: 0 };
  }
  return verdict.failed;
}

/** Names the sentence that has most of the claim's words. */
export function supportOf(claimText: ReadText, source: SourceText, sentences: readonly SourceSentence[]): ClaimSupport {
  const rated = sentences.map((sentence) => ({
    sentence,
    shared: claimText.stems
      .values()
      .reduce((count, stem) => count + (hasSameStem(sentence.read.stems, stem) ? 1 : 0), 0),
  }));
  const [best] = rated.sort((a, b) => b.shared - a.shared);
  return {
    reference: source.reference,
    passage: best?.sentence.passage ?? source.passage,
    snippet: shorten(best?.sentence.read.text ?? ''),
    isForeign: false,
  };
}

function shorten(text: string): string {
  if (text.length <= MAX_SNIPPET_CHARS) return text;
  const blank = text.lastIndexOf(' ', MAX_SNIPPET_CHARS - 1);
  return `${text.slice(0, blank > 0 ? blank : MAX_SNIPPET_CHARS - 1).toWellFormed()}…`;
}
