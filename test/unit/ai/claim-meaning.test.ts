import { describe, expect, test } from 'vitest';
import type { GuardOptions } from '../../../src/ai/citation-guard.ts';
import { createNearness } from '../../../src/ai/nearness.ts';
import type { EmbeddingModel } from '../../../src/llm/embedding-model.ts';
import { makePassage, makeSource } from '../../helpers/answer-corpus.ts';
import { guardText } from '../../helpers/guarded.ts';
import { createScriptedEmbedder, FAILING_WORD } from '../../helpers/scripted-embedder.ts';

const KEYS = 'The warden issues two keys of the boathouse to each crew.';
const OARS = 'Oars are varnished before the regatta by the first crew.';
const LOGS = 'Coaches must log each outing in the ledger.';
const CLOTHES = 'Coxes dress in orange and rowers dress in plain linen.';
/** What the embedder knows, and neither stems nor thesaurus. */
const SAME_MEANING = [
  ['warden', 'custodian', 'porter'],
  ['boathouse', 'hangar'],
  ['varnished', 'lacquered'],
  ['oars', 'sculls'],
  ['crew', 'squad'],
] as const;
const SAID = 'Each squad gets two keys of the hangar from the porter.';

const openEmbedder = () => createScriptedEmbedder(...SAME_MEANING);

function optionsOf(embedder: EmbeddingModel | undefined, more: Partial<GuardOptions> = {}): GuardOptions {
  return {
    sources: [
      makeSource(1, makePassage({ documentId: 'club', title: 'Rowing', sentences: [KEYS, OARS, LOGS, CLOTHES] })),
    ],
    question: '',
    language: 'en',
    numbering: 'as-given',
    nearness: embedder && createNearness(embedder)(new AbortController().signal),
    ...more,
  };
}

describe('a claim in quite other words than its source', () => {
  test('is sent when a sentence says the same by meaning, and cites that sentence', async () => {
    const { text, segments } = await guardText(`${SAID} [1]`, optionsOf(openEmbedder()));

    expect(text).toBe(`${SAID}⟨1⟩`);
    expect(segments[0]?.supports[0].snippet).toBe(KEYS);
  });

  test('finds its source when it names none', async () => {
    const { counters } = await guardText(SAID, optionsOf(openEmbedder()));

    expect(counters).toMatchObject({ kept: 1, reattributed: 1 });
  });

  test('is dropped where words alone decide', async () => {
    expect((await guardText(`${SAID} [1]`, optionsOf(undefined))).counters.dropped).toEqual({ halves: 1 });
  });

  test('may say a clause of a sentence', async () => {
    const said = 'The sculls are lacquered before the race by the first squad.';

    expect((await guardText(`${said} [1]`, optionsOf(openEmbedder()))).text).toBe(`${said}⟨1⟩`);
  });

  test.each([
    ['another number', 'Each squad gets three keys of the hangar from the porter.'],
    ['a denial', 'No squad gets two keys of the hangar from the porter.'],
    ['a name', 'Each squad gets two keys of the hangar from the porter Krogh.'],
    ['an identifier', 'Each squad gets two keys of the hangar `b-2` from the porter.'],
    ['a limit', 'Only squads get two keys of the hangar from the porter.'],
    ['may for must', 'For a trip any trainer may write something into the ledger.'],
    ['before for after', 'The sculls are lacquered after the race by the first squad.'],
    ['the order of two', 'For rowers the club wants orange, while for coxes it prefers linen.'],
    ['an opposite', 'The last squad wants lacquered oars for a race.'],
  ])('is not compared by meaning when it has %s that the source has not', async (_, said) => {
    const embedder = openEmbedder();

    expect((await guardText(`${said} [1]`, optionsOf(embedder))).text).toBe('');
    expect(embedder.texts).toEqual([]);
  });

  test('is dropped for one word that takes it away from the sentence', async () => {
    const said = 'Each squad gets two keys of the sauna from the porter.';
    const embedder = openEmbedder();

    expect((await guardText(`${said} [1]`, optionsOf(embedder))).text).toBe('');
    expect(embedder.texts).toContain('Each squad gets two keys of the from the porter.');
  });

  test('is not compared when the answer is in another language than the source', async () => {
    const embedder = openEmbedder();
    await guardText(`${SAID} [1]`, optionsOf(embedder, { language: 'de' }));

    expect(embedder.texts).toEqual([]);
  });
});

describe('the embedder of an answer', () => {
  test('is not asked any more once it has failed', async () => {
    const embedder = openEmbedder();
    const failing = SAID.replace('squad', FAILING_WORD);
    const { text } = await guardText(`${failing} [1] ${SAID} [1]`, optionsOf(embedder));

    expect(embedder.texts).toContain(failing);
    expect(embedder.texts).not.toContain(SAID);
    expect(text).toBe('');
  });

  test('is asked for forty texts of an answer at most', async () => {
    const embedder = openEmbedder();
    const open = createNearness(embedder);
    const guarded = (text: string) =>
      guardText(text, optionsOf(embedder, { nearness: open(new AbortController().signal) }));
    const claims = Array.from({ length: 20 }, (_, at) => SAID.replace('squad', `${'x'.repeat(at + 3)} squad`));
    await guarded(claims.map((claim) => `${claim} [1]`).join(' '));
    const ofScale = embedder.texts.slice(0, 8);

    expect(embedder.texts.length - ofScale.length).toBeLessThanOrEqual(40);
    expect(embedder.texts).not.toContain(claims.at(-1));
    expect((await guarded(`${SAID} [1]`)).text).toBe(`${SAID}⟨1⟩`);
    expect(embedder.texts.filter((text) => ofScale.includes(text))).toEqual(ofScale);
  });
});
