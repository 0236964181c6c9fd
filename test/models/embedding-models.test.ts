import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddingModel } from '../../src/llm/embedding-model.ts';
import { createFolderModel, findModelPackages } from '../../src/llm/onnx/embedding-model.ts';
import { readModelFolder, writeModelFolder } from '../../src/llm/onnx/model-folder.ts';
import { cosine, describeEmbeddingModel } from '../contract/embedding-model-suite.ts';
import { unaborted } from '../helpers/model-calls.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

// Real models by the packages themselves, of English.
const FOLDER = process.env['MODELS_FOLDER'] ?? '';
const MODELS = readdirSync(join(FOLDER, 'models'));
const SET_BY = 'MODELS_FOLDER';

async function openModel(path: string) {
  const folder = await readModelFolder(path, SET_BY);
  const packages = findModelPackages(join(FOLDER, 'packages'), SET_BY);
  return createFolderModel({ folder, packages, restAfterMs: undefined });
}

/** Two that say the same, and one that says something else. */
const TRIPLES = [
  ['How much does a ticket cost?', 'What is the price of admission?', 'Where can I park my car?'],
  ['Dogs must be kept on a lead.', 'Pets have to be leashed.', 'The café closes at five.'],
  ['The garden was founded in 1871.', 'It was established in the nineteenth century.', 'Compost suits shrubs.'],
  ['How do I reset my password?', 'I forgot my login credentials.', 'How do I delete a table?'],
  ['The shop ships within two days.', 'Orders are sent out in 48 hours.', 'The pump runs at 40 bar.'],
] as const;

/** A question, a passage that answers it in other words, one that does not. */
const QUESTIONS = [
  ['Can I get my money back?', 'Tickets are refunded until noon of the day before.', 'Tickets are sold at the gate.'],
  ['How do I get there by train?', 'The station is ten minutes on foot.', 'The archive is open on request.'],
  ['Is there a discount for students?', 'Learners pay half with a valid card.', 'The museum closes at six.'],
] as const;

describe.each(MODELS)('%s', (name) => {
  const stack = new AsyncDisposableStack();
  let model: EmbeddingModel;
  let damaged: EmbeddingModel;
  beforeAll(async () => {
    const path = join(FOLDER, 'models', name);
    model = stack.use(await openModel(path));
    const { id: _id, path: _path, ...usage } = await readModelFolder(path, SET_BY);
    const half = join(stack.use(await temporaryFolder()).path, name);
    const bytes = await readFile(join(path, 'model.onnx'));
    const tokenizer = join(path, 'tokenizer.json');
    await writeModelFolder(half, { name, ...usage, model: bytes.subarray(0, bytes.length / 2), tokenizer });
    damaged = stack.use(await openModel(half));
  });
  afterAll(() => stack.disposeAsync());

  describeEmbeddingModel(async (behaviour) => ({
    model: behaviour === 'fails' ? damaged : model,
    [Symbol.asyncDispose]: async () => {},
  }));

  test('what says the same in other words is nearer, but for one of eight', async () => {
    const nearer: boolean[] = [];
    for (const texts of TRIPLES) {
      const [said, same, other] = await model.embed(texts, 'query', unaborted());
      nearer.push(cosine(said, same) > cosine(said, other));
    }
    for (const [question, ...passages] of QUESTIONS) {
      const [asked] = await model.embed([question], 'query', unaborted());
      const [answer, other] = await model.embed(passages, 'passage', unaborted());
      nearer.push(cosine(asked, answer) > cosine(asked, other));
    }
    expect(nearer.filter(Boolean).length).toBeGreaterThanOrEqual(nearer.length - 1);
  });

  test('a text longer than the model takes is cut, and its vector is that of one text', async () => {
    const [vector] = await model.embed(['the pump runs at forty bar. '.repeat(400)], 'passage', unaborted());
    expect(cosine(vector, vector)).toBeCloseTo(1);
  });
});
