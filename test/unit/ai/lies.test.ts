import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GuardOptions } from '../../../src/ai/citation-guard.ts';
import { corpusPages, makeSource } from '../../helpers/answer-corpus.ts';
import { guardPieces } from '../../helpers/guarded.ts';
import { allSentences, LIES, type Sentence, TRUE_CHANGES } from '../../helpers/lies.ts';
import { type Random, seededRandom } from '../../helpers/random.ts';

/** More of the same by hand: `LIES_ANSWERS=600`. */
const ANSWERS = Number(process.env['LIES_ANSWERS'] ?? 60);
const CLAIMS = 6;
const LIE_SHARE = 0.3;
const SEED = Number(process.env['LIES_SEED'] ?? 2_026);

type Claim = { readonly kind: string; readonly isLie: boolean; readonly text: string; readonly reference: number };

const all = allSentences();
const byPage = Map.groupBy(all, ({ passage }) => passage.documentId);
/** Documentation pages are ten times as many: half of the answers are about the garden and the town. */
const pagesOf = (isDocumentation: boolean) =>
  [...byPage].filter(
    ([id, sentences]) => /^(?:python|postgresql)/.test(id) === isDocumentation && sentences.length >= 4,
  );
const pools = [pagesOf(true), pagesOf(false)];

const paraphrased = ['paraphrases', 'paraphrases-held-out'].map((name) => readParaphrases(name));

/** Sentences of people who told in their own words what pages say, by page. */
function readParaphrases(name: string): ReadonlyMap<string, readonly string[]> {
  const file = new URL(`../../fixtures/answers/${name}.json`, import.meta.url);
  const rows: readonly (readonly [string, string, string])[] = JSON.parse(readFileSync(file, 'utf8'));
  const byId = Map.groupBy(rows, ([corpus, id]) => `${corpus}/${id}`);
  return new Map([...byId].map(([id, of]) => [id, of.map(([, , text]) => text)]));
}

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
    const isSaid = claim !== undefined && passages.some(({ text }) => claim.isLie && text.includes(claim.text));
    if (claim === undefined || reference === 0 || isSaid || claims.some(({ text }) => text === claim.text)) continue;
    // A marker of another source is corrected; it is a lie when it is sent.
    const isMisnamed = !claim.isLie && random.chance(0.1);
    claims.push({ ...claim, reference: isMisnamed ? 1 + (reference % passages.length) : reference });
  }
  return { sources, claims };
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

type Figures = Record<string, { said: number; sent: number }>;

async function sendAnswers(random: Random) {
  const figures: Figures = {};
  const sentLies: string[] = [];
  let misattributed = 0;
  for (let i = 0; i < ANSWERS; i++) {
    const { sources, claims } = scriptAnswer(random);
    if (sources.length === 0) continue;
    const language = sources[0]!.passages[0].language;
    const options: GuardOptions = { sources, question: sources[0]!.passages[0].title, language, numbering: 'as-given' };
    for (const { kind, isLie, text, reference } of claims) {
      const { units } = await guardPieces([`${text.replace(/[.!?]$/, '')} [${reference}].`], options);
      const name = `${isLie ? 'lie' : 'true'} ${kind}`;
      const figure = figures[name] ?? { said: 0, sent: 0 };
      figures[name] = figure;
      figure.said++;
      if (lettersOf(units.map((unit) => unit.text).join('')) !== lettersOf(text)) continue;
      figure.sent++;
      if (isLie) sentLies.push(`${kind}: ${text}`);
      else if (!units.every((unit) => unit.supports.every(({ passage }) => says(passage.text, text)))) misattributed++;
    }
  }
  return { figures, sentLies, misattributed };
}

/** Two sentences are sent when both are. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether many words of a claim, its opening about the source aside, stand in a text. */
function says(text: string, claim: string): boolean {
  const words = claim.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const there = text.toLowerCase();
  return words.filter((word) => there.includes(word)).length >= words.length * 0.35;
}

function totalOf(figures: Figures, matches: (kind: string) => boolean) {
  const rows = Object.entries(figures).filter(([kind]) => matches(kind));
  return {
    said: rows.reduce((sum, [, { said }]) => sum + said, 0),
    sent: rows.reduce((sum, [, { sent }]) => sum + sent, 0),
  };
}

/** Two whole thoughts put together: what words alone cannot always tell. */
const SEAMED = /splice|appended/;

describe('guardAnswer on a writer that lies in 30 % of its sentences', () => {
  test(`sends nearly all that is true and hardly a lie (seed ${SEED})`, async () => {
    const { figures, sentLies, misattributed } = await sendAnswers(seededRandom(SEED));

    const truths = totalOf(figures, (kind) => kind.startsWith('true'));
    const plain = totalOf(figures, (kind) => kind.startsWith('lie') && !SEAMED.test(kind));
    const seamed = totalOf(figures, (kind) => kind.startsWith('lie') && SEAMED.test(kind));
    if (process.env['LIES_ANSWERS'] !== undefined)
      process.stdout.write(`${JSON.stringify({ figures, sentLies }, null, 1)}\n`);
    expect(truths.said).toBeGreaterThanOrEqual(200);
    expect(truths.sent / truths.said).toBeGreaterThanOrEqual(0.97);
    expect(plain.sent / plain.said).toBeLessThanOrEqual(0.005);
    expect(seamed.sent / seamed.said).toBeLessThanOrEqual(0.02);
    expect(misattributed).toBe(0);
  }, 120_000);

  test.each([
    ['known', 0, 0.87],
    ['held out', 1, 0.75],
  ] as const)('sends most of what people say in their own words: %s', async (_, index, least) => {
    const dropped: string[] = [];
    let said = 0;
    for (const [id, texts] of paraphrased[index]!) {
      const page = corpusPages().find(({ corpus, id: name }) => `${corpus}/${name}` === id)!;
      const sources = page.passages.map((passage, i) => makeSource(i + 1, passage));
      const { title, language } = page.passages[0]!;
      for (const text of texts) {
        said++;
        const { units } = await guardPieces([text], { sources, question: title, language, numbering: 'as-given' });
        if (units.length === 0) dropped.push(text);
      }
    }
    if (process.env['LIES_ANSWERS'] !== undefined) process.stdout.write(`${said} ${dropped.join('\n')}\n`);

    expect(1 - dropped.length / said).toBeGreaterThanOrEqual(least);
  });
});
