import type { GuardOptions } from '../../src/ai/citation-guard.ts';
import type { Passage } from '../../src/search/passage.ts';
import { makeSource } from './answer-corpus.ts';
import { guardPieces } from './guarded.ts';
import { allSentences, isSubsequence, LIES, PREFIXES, type Sentence, TRUE_CHANGES } from './lies.ts';
import type { Random } from './random.ts';

const CLAIMS = 6;
const LIE_SHARE = 0.3;

type Claim = { readonly kind: string; readonly isLie: boolean; readonly text: string; readonly reference: number };

const all = allSentences();
const byPage = Map.groupBy(all, ({ passage }) => passage.documentId);
/** Documentation pages are ten times as many: half of the answers are about the garden and the town. */
const pagesOf = (isDocumentation: boolean) =>
  [...byPage].filter(
    ([id, sentences]) => /^(?:python|postgresql)/.test(id) === isDocumentation && sentences.length >= 4,
  );
const pools = [pagesOf(true), pagesOf(false)];

/** An answer about one page, with two other pages beside it as sources. */
function scriptAnswer(random: Random) {
  const [, sentences] = random.pick(random.pick(pools));
  const others = [random.pick(all), random.pick(all)].filter(
    ({ passage }) => passage.language === sentences[0]!.passage.language,
  );
  const passages = [...new Set([...sentences, ...others].map(({ passage }) => passage))].slice(0, 6);
  const sources = passages.map((passage, i) => makeSource(i + 1, passage));
  const claims: Claim[] = [];
  for (let tries = 0; claims.length < CLAIMS && tries < 60; tries++) {
    const sentence = random.pick(sentences);
    const claim = random.chance(LIE_SHARE) ? lie(sentence, random) : truth(sentence, random);
    const reference = passages.indexOf(sentence.passage) + 1;
    const isSaid = claim?.isLie === true && passages.some((passage) => doesSay(passage, claim));
    if (claim === undefined || reference === 0 || isSaid || claims.some(({ text }) => text === claim.text)) continue;
    // A marker of another source is corrected; it is a lie when it is sent.
    const isMisnamed = !claim.isLie && random.chance(0.1);
    claims.push({ ...claim, reference: isMisnamed ? 1 + (reference % passages.length) : reference });
  }
  return { sources, claims };
}

/**
 * A lie by its making that turned out true: it stands in a source, or leaves out words of one sentence that say no more
 * than it does (a half that meets its own other half).
 */
function doesSay({ text, sentences }: Passage, { kind, text: said }: Omit<Claim, 'reference'>): boolean {
  return text.includes(said) || (kind.startsWith('splice') && sentences.some((one) => isSubsequence(said, one.text)));
}

function truth(sentence: Sentence, random: Random): Omit<Claim, 'reference'> | undefined {
  const kind = random.pick(Object.keys(TRUE_CHANGES));
  const text = TRUE_CHANGES[kind]!(sentence, random, all);
  return text === undefined ? undefined : { kind, isLie: false, text };
}

function lie(sentence: Sentence, random: Random): Omit<Claim, 'reference'> | undefined {
  const kind = random.pick(Object.keys(LIES));
  const text = LIES[kind]!(sentence, random, all);
  return text === undefined || text === sentence.text ? undefined : { kind, isLie: true, text };
}

export type Figures = Record<string, { said: number; sent: number }>;

export async function sendAnswers(random: Random, answers: number) {
  const figures: Figures = {};
  const sentLies: string[] = [];
  const misattributed: string[] = [];
  const lost: string[] = [];
  for (let i = 0; i < answers; i++) {
    const { sources, claims } = scriptAnswer(random);
    if (sources.length === 0) continue;
    const language = sources[0]!.passages[0].language;
    const options: GuardOptions = { sources, question: sources[0]!.passages[0].title, language, numbering: 'as-given' };
    for (const { kind, isLie, text, reference } of claims) {
      const { segments, counters } = await guardPieces([`${text.replace(/[.!?]$/, '')} [${reference}].`], options);
      const name = `${isLie ? 'lie' : 'true'} ${kind}`;
      const figure = figures[name] ?? { said: 0, sent: 0 };
      figures[name] = figure;
      figure.said++;
      if (lettersOf(segments.map((unit) => unit.text).join('')) !== lettersOf(text)) {
        if (!isLie) lost.push(`${kind} ${Object.keys(counters.dropped).join()}: ${text}`);
        continue;
      }
      figure.sent++;
      const evidence = segments.map(({ supports }) => supports.map(({ snippet }) => snippet).join(' + ')).join(' | ');
      if (isLie) sentLies.push(`${kind}: ${text}\n      < ${evidence}`);
      else if (!segments.every((unit) => unit.supports.every(({ passage }) => says(passage.text, text))))
        misattributed.push(`${text}\n     < ${evidence}`);
    }
  }
  return { figures, sentLies, misattributed, lost };
}

/** Two sentences are sent when both are. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether many words of a claim, its opening about the source aside, stand in a text. */
function says(text: string, claim: string): boolean {
  const opening = Object.values(PREFIXES).find((prefix) => claim.startsWith(prefix)) ?? '';
  const words =
    claim
      .slice(opening.length)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const there = text.toLowerCase();
  return words.filter((word) => there.includes(word)).length >= words.length * 0.35;
}

export function totalOf(figures: Figures, matches: (kind: string) => boolean) {
  const rows = Object.entries(figures).filter(([kind]) => matches(kind));
  return {
    said: rows.reduce((sum, [, { said }]) => sum + said, 0),
    sent: rows.reduce((sum, [, { sent }]) => sum + sent, 0),
  };
}
