import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { type AnswerKey, type CacheableAnswer, createAnswerCache } from '../../../src/ai/answer-cache.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';
import type { Passage } from '../../../src/search/passage.ts';
import { passageOf } from '../../helpers/passages.ts';

const LIFE = passageOf({ rid: 1, text: 'A panel lasts 25 years.' });
const PRICE = passageOf({ rid: 2, text: 'A panel costs 200 euros.' });
const CARE = passageOf({ rid: 3, text: 'Clean a panel once a year.' });

/** Groups of synonyms as retrieval finds them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = { price: ['cost'], cost: ['price'] };

function asked(question: string, changes: Partial<AnswerKey> = {}): AnswerKey {
  const analysed = analyseQuestion(question, 'en');
  const terms = analysed.words.map(({ text, factor }) => ({
    text,
    weight: factor,
    isUnseen: false,
    alternatives: (SYNONYMS[text] ?? []).map((word) => ({ words: [word], weight: 0.6, isSynonym: true })),
  }));
  return {
    engineId: 6,
    question: analysed,
    terms,
    language: 'en',
    length: 'comprehensive',
    filter: { kind: 'all' },
    boosts: [],
    sourceFields: ['Content'],
    customPrompt: undefined,
    hasKey: false,
    model: undefined,
    settings: ENGINE_DEFAULTS,
    ...changes,
  };
}

function answer(passages: readonly Passage[], changes: Partial<CacheableAnswer> = {}): CacheableAnswer {
  const [cited = LIFE] = passages;
  const { crawlerId, documentId, ordinal, hash, url, title, text } = cited;
  const citation = { reference: 1, url, pageTitle: title, snippet: text, crawlerId, documentId, ordinal, hash };
  return {
    segments: [{ text, citations: [citation] }],
    outcome: { refusal: undefined, isIncomplete: false, isDegraded: false },
    prompted: passages,
    passedGate: true,
    ...changes,
  };
}

const open = (now = { at: 0 }) =>
  createAnswerCache({ maxBytes: 100_000, ttlMs: 86_400_000, clock: { now: () => now.at } });
const present = (...passages: readonly Passage[]) => ({ passages, passesGate: true });

test('the same question gets the same answer', () => {
  const cache = open();
  const kept = answer([LIFE, PRICE]);
  cache.keep(asked('How long does a panel last?'), kept);

  const found = cache.find(asked('How long does a panel last?'), present(LIFE, CARE));
  expect(found?.segments).toEqual(kept.segments);
});

test.each([
  ['other order and small words', 'What is the price of a panel?', 'the panel: what is its price?', true],
  ['another form of a word', 'How long do panels last?', 'How long does a panel last?', true],
  ['a synonym', 'What is the price of a panel?', 'What is the cost of a panel?', true],
  ['another number', 'What is the price of 2 panels?', 'What is the price of 3 panels?', false],
  ['a negation', 'Which panels are not sold?', 'Which panels are sold?', false],
  ['another type of question', 'When does a panel last?', 'Why does a panel last?', false],
  ['a word more', 'price of a panel', 'price of a small panel', false],
  ['a number as a word', 'price for two panels', 'price for three panels', false],
  ['the other direction', 'How do I convert a string to an int?', 'How do I convert an int to a string?', false],
  ['another time', 'What happens before a refund?', 'What happens after a refund?', false],
  ['more for less', 'Which panel costs more?', 'Which panel costs less?', false],
  ['a duty for a permission', 'Can I clean a panel?', 'Do I have to clean a panel?', false],
  ['another name nobody knows', 'Who is Ada Brandt?', 'Who is Ada Brand?', false],
  ['a denial in short', "Why don't panels break?", 'Why do panels break?', false],
  ['a denial in full', "Why aren't panels broken?", 'Why are panels not broken?', true],
  ['politeness', 'How do I clean a panel?', 'Hi, what is the best way to clean a panel please', true],
  ['what it asks for said otherwise', 'How much does a panel cost?', 'panel price', true],
  ['a permission said otherwise', 'Can I clean a panel?', 'Is it possible to clean a panel?', true],
  ['a reason said otherwise', 'Why do panels break?', 'What is the reason that panels break?', true],
])('a question with %s', (_, first, second, isSame) => {
  const cache = open();
  cache.keep(asked(first), answer([PRICE]));

  expect(cache.find(asked(second), present(PRICE)) !== undefined).toBe(isSame);
});

test.each([
  ['de', 'Was kostet ein Modul?', 'Wie teuer ist ein Modul?', true],
  ['de', 'Was kosten zwei Module?', 'Was kosten drei Module?', false],
  ['de', 'Darf ich Hunde mitbringen?', 'Ist es erlaubt Hunde mitzubringen?', false],
  ['de', 'Darf man hier parken?', 'Muss man hier parken?', false],
  ['fr', 'Combien coûte un panneau ?', 'Quel est le prix d’un panneau ?', true],
  ['fr', 'Un panneau avec garantie ?', 'Un panneau sans garantie ?', false],
  ['it', 'Quanto costa un pannello?', 'quanto costa un pannello', true],
  ['it', 'Quanto costa un pannello?', 'Quanto costano due pannelli?', false],
])('%s: %s and %s', (language, first, second, isSame) => {
  const cache = open();
  const askedIn = (question: string) => ({ ...asked(question), question: analyseQuestion(question, language) });
  cache.keep(askedIn(first), answer([PRICE]));

  expect(cache.find(askedIn(second), present(PRICE)) !== undefined).toBe(isSame);
});

test.each<[string, Partial<AnswerKey>]>([
  ['another engine', { engineId: 7 }],
  ['another language', { language: 'de' }],
  ['another length', { length: 'concise' }],
  ['another filter', { filter: { kind: 'value', field: 'Category', values: ['News'] } }],
  ['another boost', { boosts: [{ field: 'Category', values: ['News'], factor: 2 }] }],
  ['other source fields', { sourceFields: ['Title'] }],
  ['another wish', { customPrompt: 'Be formal.' }],
  ['a trusted caller', { hasKey: true }],
  ['other instructions', { settings: { ...ENGINE_DEFAULTS, aiInstructions: 'Say we.' } }],
  ['a model', { model: 'small' }],
])('is not the answer of %s', (_, changes) => {
  const cache = open();
  cache.keep(asked('How long does a panel last?'), answer([LIFE]));

  expect(cache.find(asked('How long does a panel last?', changes), present(LIFE))).toBeUndefined();
});

const CHANGED = passageOf({ rid: 1, text: 'A panel lasts 30 years.', hash: 'changed' });
const BETTER = passageOf({ rid: 9, text: 'How long a panel lasts.' });

test.each([
  ['the cited passage says something else', present(PRICE, CHANGED)],
  ['the cited page is gone', present(PRICE, CARE)],
  ['another page is better now', present(BETTER, LIFE, PRICE)],
  ['nothing is found any more', present()],
  ['the gate says no now', { passages: [LIFE, PRICE], passesGate: false }],
])('an answer is gone when %s', (_, now) => {
  const cache = open();
  const question = asked('How long does a panel last?');
  cache.keep(question, answer([LIFE, PRICE]));

  expect(cache.find(question, now)).toBeUndefined();
  expect(cache.find(question, present(LIFE, PRICE))).toBeUndefined();
});

test('unfinished and degraded answers are not kept, refusals for a minute, others for their time', () => {
  const now = { at: 0 };
  const cache = open(now);
  const outcome = { refusal: undefined, isIncomplete: false, isDegraded: false };
  cache.keep(asked('one'), answer([LIFE], { outcome: { ...outcome, isIncomplete: true } }));
  cache.keep(asked('two'), answer([LIFE], { outcome: { ...outcome, isDegraded: true } }));
  const refusal = { segments: [], prompted: [], passedGate: false };
  cache.keep(asked('three'), answer([], { ...refusal, outcome: { ...outcome, refusal: 'no-passages' } }));
  cache.keep(asked('four'), answer([LIFE]));

  const found = (question: string, passages: readonly Passage[], passesGate: boolean) =>
    cache.find(asked(question), { passages, passesGate }) !== undefined;
  expect([found('one', [LIFE], true), found('two', [LIFE], true)]).toEqual([false, false]);
  now.at = 59_999;
  expect(found('three', [], false)).toBe(true);
  now.at = 60_000;
  expect([found('three', [], false), found('four', [LIFE], true)]).toEqual([false, true]);
  now.at = 86_400_000;
  expect(found('four', [LIFE], true)).toBe(false);
});
