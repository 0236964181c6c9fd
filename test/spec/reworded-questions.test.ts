import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDocument, readAnswerDocuments, readQuestions } from '../../scripts/evaluate/answers/sets.ts';
import type { NewDocument } from '../../src/core/document.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 4.1. Questions of the tuning halves, each in four other wordings and once as a question that only looks
// like it, about the pages that answer them and some others. `REWORDINGS=all` is the long form.
type Rewording = {
  readonly set: 'garden' | 'python' | 'postgresql' | 'apache';
  readonly id: string;
  readonly same: readonly string[];
  readonly differs: string;
  readonly other: string;
};
const EVERY = process.env['REWORDINGS'] === 'all' ? 1 : 3;
const ALL: readonly Rewording[] = JSON.parse(
  readFileSync(new URL('../golden/answers/rewordings.json', import.meta.url), 'utf8'),
);
const REWORDINGS = ALL.filter((_, index) => index % EVERY === 0);
const SETS = [...new Set(REWORDINGS.map(({ set }) => set))];
const HALVES = new Map(SETS.map((set) => [set, readQuestions(set, 'tuning').answerable]));
const ASKED = REWORDINGS.map((rewording) => {
  const question = HALVES.get(rewording.set)?.find(({ id }) => id === rewording.id);
  if (question === undefined) throw new Error(`no question ${rewording.set} ${rewording.id}`);
  return { ...rewording, question: question.question, gold: question.gold };
});
/** Of the wordings that come after the first one. */
const MIN_HITS = 0.55;

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await load(pages());
}, 30_000);
afterAll(() => product[Symbol.asyncDispose]());

function pages(): readonly NewDocument[] {
  return SETS.flatMap((set) => {
    const gold = new Set(ASKED.filter((asked) => asked.set === set).flatMap((asked) => asked.gold));
    const documents = readAnswerDocuments(set);
    const others = documents.filter(({ id }) => !gold.has(id)).filter((_, index) => index % 4 === 0);
    const known = [...documents.filter(({ id }) => gold.has(id)), ...others.slice(0, gold.size / 2)];
    return known.map((document) => newDocument({ ...document, id: `${set}/${document.id}` }));
  });
}

async function load(documents: readonly NewDocument[]): Promise<void> {
  await (await product.engineStore(6)).putDocuments(17, documents, 1);
  const { status } = await product.put('/api/v4/3/index/17/documents?refresh=wait', [
    { id: 'waited-for', fields: { Title: 'Waited for', Content: 'Nothing.' } },
  ]);
  expect(status).toBeLessThan(300);
}

/** The answer, and whether it is one that was kept. */
async function ask(question: string): Promise<{ readonly answer: string; readonly isKept: boolean }> {
  const { status, body } = await product.post('/api/v4/3/6/search/answer', { question, includeCitations: true });
  expect(status).toBe(200);
  const { answer, exchangeId, conversationId } = body.value;
  const key = { customerId: 3, engineId: 6, id: conversationId };
  const exchanges = await product.systemStore.readConversation(key, { limit: 1, maxChars: 64_000 });
  return { answer, isKept: exchanges.find(({ id }) => id === exchangeId)?.composer === 'cache' };
}

test('other wordings get the kept answer, questions that only look alike never do', async () => {
  const missed: string[] = [];
  const mistaken: string[] = [];
  for (const { question, same, differs, other } of ASKED) {
    await ask(question);
    for (const wording of same) {
      if (!(await ask(wording)).isKept) missed.push(`${question} <> ${wording}`);
    }
    if ((await ask(other)).isKept) mistaken.push(`${differs}: ${question} <> ${other}`);
  }

  expect(mistaken).toEqual([]);
  const wordings = ASKED.flatMap(({ same }) => same).length;
  expect(1 - missed.length / wordings, missed.join('\n')).toBeGreaterThanOrEqual(MIN_HITS);
}, 60_000);

test('what pages no longer say is not said again, however it is asked', async () => {
  const before = new Map<string, string>();
  for (const { question } of ASKED) before.set(question, (await ask(question)).answer);
  await load(pages().map(changed));

  for (const {
    question,
    same: [wording = ''],
  } of ASKED) {
    for (const asked of [question, wording]) {
      const { answer } = await ask(asked);
      const stale = sentencesOf(before.get(question) ?? '').filter((sentence) => answer.includes(sentence));
      expect(stale, asked).toEqual([]);
    }
  }
}, 60_000);

/** Every sentence says something else. */
function changed({ structure, fields, ...document }: NewDocument): NewDocument {
  const sections = structure?.sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) => ({ ...block, text: edited(block.text) })),
  }));
  return {
    ...document,
    fields: new Map([...fields].map(([name, values]) => [name, name === 'Url' ? values : values.map(edited)])),
    structure: structure && { ...structure, sections: sections ?? [] },
  };
}

const edited = (text: string) => text.replace(/(\p{L}{4,})(?=[^\p{L}]*(?:[.!?|]|$))/gmu, '$1 nowadays');

/** Those with a citation. */
function sentencesOf(answer: string): readonly string[] {
  const cited = answer.split(/(?<=\[\d+\])\s+/).filter((part) => /\[\d+\]$/.test(part));
  return cited.map((part) => part.replace(/ ?\[\d+\]/g, '')).filter((part) => /\p{L}{4,}[.!?]$/u.test(part));
}
