import { setImmediate } from 'node:timers/promises';
import type { Engine } from '../core/records.ts';
import type { ContentGapStore, GapQuestion, GapSignal } from '../storage/system/content-gaps.ts';
import { wordsOf } from '../text/analyzer.ts';
import { stemWord } from '../text/stemming.ts';
import { isStopWord } from '../text/stop-words.ts';

/** Latest questions that are looked at, of answers and of searches each. */
const MAX_QUESTIONS = 5_000;
/** Share of the stems of two questions that they have in common when they ask the same (Jaccard). */
const SAME_QUESTION = 0.5;
/** An answer that nobody followed may have said all: so many of them, by two visitors, say otherwise. */
const MIN_UNFOLLOWED = 3;
const MIN_VISITORS = 2;
const MAX_WORDINGS = 5;
/** Questions that are grouped before the event loop gets its turn: about 2 ms. */
const GROUP_STEP = 200;

export type NearestPage = { readonly url: string; readonly title: string };

/**
 * The pages that come nearest to an answer, and when the page changed last that an answer cites (undefined: there is no
 * answer). Costs an extractive answer.
 */
export type DryRunQuestion = (
  input: { readonly engine: Engine; readonly question: string; readonly language: string },
  signal: AbortSignal,
) => Promise<{ readonly nearest: readonly NearestPage[]; readonly citedChangedAt: number | undefined }>;

/** Something that visitors asked for and the content does not say, or does not say well. */
export type ContentGap = {
  /** The wording that was used most, of equally frequent ones the latest. */
  readonly question: string;
  /** Other wordings, at most 4. */
  readonly wordings: readonly string[];
  readonly language: string;
  readonly questions: number;
  readonly visitors: number;
  readonly lastAt: number;
  readonly signals: Readonly<Partial<Record<GapSignal, number>>>;
  /** Why answers were refused, the most frequent reason first. */
  readonly reasons: readonly string[];
  /** It is answered now, by a page that changed since it was asked in vain. */
  readonly isClosed: boolean;
  readonly nearest: readonly NearestPage[];
};

export type ContentGapDeps = { readonly systemStore: ContentGapStore; readonly dryRunQuestion: DryRunQuestion };

export type ContentGapInput = {
  readonly engine: Engine;
  readonly from: number;
  readonly to: number;
  /** Of a gap. */
  readonly minVisitors: number;
  /** Gaps that are returned, each of which is asked once more. */
  readonly limit: number;
  readonly signal: AbortSignal;
};

/**
 * Groups what visitors asked in vain by what it asks for, those that most visitors miss first, and asks one question of
 * each group again: it is closed as soon as a page that changed since answers it. Cost: the rows of the range, about
 * 10 µs a question, and `limit` extractive answers.
 */
export async function findContentGaps(deps: ContentGapDeps, input: ContentGapInput): Promise<readonly ContentGap[]> {
  const { engine, from, to, minVisitors, limit, signal } = input;
  const questions = await deps.systemStore.listGapQuestions({ engineId: engine.id, from, to, limit: MAX_QUESTIONS });
  const groups = (await groupQuestions(questions, engine.language))
    .filter(isGap)
    .map(summarizeGroup)
    .filter(({ visitors }) => visitors >= minVisitors);
  groups.sort((a, b) => b.visitors - a.visitors || b.questions - a.questions || b.lastAt - a.lastAt);
  const gaps: ContentGap[] = [];
  for (const group of groups.slice(0, limit)) {
    signal.throwIfAborted();
    const language = group.language === '' ? engine.language : group.language;
    const dryRun = await deps.dryRunQuestion({ engine, question: group.question, language }, signal);
    const { nearest, citedChangedAt = group.lastAt } = dryRun;
    gaps.push({ ...group, isClosed: citedChangedAt > group.lastAt, nearest });
  }
  return gaps;
}

type Group = { readonly stems: ReadonlySet<string>; readonly questions: GapQuestion[] };

/** A question joins the group whose first question shares most of its stems, of those that share enough. */
async function groupQuestions(questions: readonly GapQuestion[], engineLanguage: string): Promise<readonly Group[]> {
  const groups: Group[] = [];
  const withStem = new Map<string, Group[]>();
  for (const [position, question] of questions.entries()) {
    if (position % GROUP_STEP === GROUP_STEP - 1) await setImmediate();
    const stems = stemsOf(question.question, question.language || engineLanguage);
    if (stems.size === 0) continue;
    const known = nearestGroup(stems, withStem);
    if (known !== undefined) {
      known.questions.push(question);
      continue;
    }
    const group = { stems, questions: [question] };
    groups.push(group);
    for (const stem of stems) withStem.set(stem, [...(withStem.get(stem) ?? []), group]);
  }
  return groups;
}

function nearestGroup(stems: ReadonlySet<string>, withStem: ReadonlyMap<string, readonly Group[]>): Group | undefined {
  const shared = new Map<Group, number>();
  for (const stem of stems)
    for (const group of withStem.get(stem) ?? []) shared.set(group, (shared.get(group) ?? 0) + 1);
  let nearest: Group | undefined;
  let best = SAME_QUESTION;
  for (const [group, common] of shared) {
    const likeness = common / (stems.size + group.stems.size - common);
    if (likeness < best || (likeness === best && nearest !== undefined)) continue;
    nearest = group;
    best = likeness;
  }
  return nearest;
}

/** Content stems; of a question without any, all stems. */
function stemsOf(question: string, language: string): ReadonlySet<string> {
  const words = wordsOf(question);
  const content = words.filter((word) => !isStopWord(word, language));
  return new Set((content.length > 0 ? content : words).map((word) => stemWord(word, language)));
}

function isGap({ questions }: Group): boolean {
  if (questions.some(({ signal }) => signal !== 'without-click')) return true;
  return questions.length >= MIN_UNFOLLOWED && new Set(questions.map(({ visitor }) => visitor)).size >= MIN_VISITORS;
}

/** Questions come newest first. */
function summarizeGroup({ questions }: Group): Omit<ContentGap, 'isClosed' | 'nearest'> {
  const wordings = byFrequency(questions.map(({ question }) => question.trim()));
  const reasons = questions.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  const signals: Partial<Record<GapSignal, number>> = {};
  for (const { signal } of questions) signals[signal] = (signals[signal] ?? 0) + 1;
  return {
    question: wordings[0] ?? '',
    wordings: wordings.slice(1, MAX_WORDINGS),
    language: questions.find(({ language }) => language !== '')?.language ?? '',
    questions: questions.length,
    visitors: new Set(questions.map(({ visitor }) => visitor)).size,
    lastAt: questions[0]?.at ?? 0,
    signals,
    reasons: byFrequency(reasons),
  };
}

/** Distinct texts, the most frequent first, equally frequent ones in their order. */
function byFrequency(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}
