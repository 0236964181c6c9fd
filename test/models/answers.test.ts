import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedSuite, openDocuments } from '../../scripts/evaluate/answers/ask-suite.ts';
import type { AskedQuestion } from '../../scripts/evaluate/answers/suites.ts';
import { createFolderModel, findModelPackages } from '../../src/llm/onnx/embedding-model.ts';
import { readModelFolder } from '../../src/llm/onnx/model-folder.ts';
import { storedDocument } from '../helpers/stored-documents.ts';

// Ranking and gate by vectors of real models, of which one had taught them.
const FOLDER = process.env['MODELS_FOLDER'] ?? '';
const MODELS = readdirSync(join(FOLDER, 'models'));
const SET_BY = 'MODELS_FOLDER';

const PAGES = {
  Cancelling: 'Whoever cannot come is reimbursed until noon of the day before.\nLater the price of admission is kept.',
  Animals: 'Hounds stay outside, save those that lead the blind.\nA bowl of water stands by the gate.',
  Glasshouses: 'The palms stand in the tall house.\nIt is heated from October on.',
  Café: 'Soup and cake are served until five.\nThe terrace has sixty seats.',
  Guides: 'Walks with a gardener start at eleven by the fountain.\nThey take an hour.',
  Archive: 'Letters of the founders may be read on request.\nThe archive lies in the cellar.',
  Compost: 'Leaves are turned every three weeks.\nShrubs and perennials thrive on it.',
  Arrival: 'The station is ten minutes away on foot.\nCoaches stop at the north gate.',
  Season: 'Roses bloom from June to September.\nThe first frost ends it.',
  Benefactors: 'Members pay sixty crowns a year.\nThey get in with a companion.',
};
const ROWS = Object.entries(PAGES).map(([title, content], at) =>
  storedDocument({ rid: at + 1, fields: { Title: title, Content: content } }),
);

function asking(question: string): AskedQuestion {
  return { set: 'museum', id: question, question, kind: 'answerable', previous: [], gold: [], nuggets: [] };
}

const PARAPHRASES = [
  ['In which months do roses blossom?', 'Roses bloom'],
  ['Can I see letters written by the founders?', 'Letters of the founders'],
] as const;

describe.each(MODELS)('%s', (name) => {
  const stack = new AsyncDisposableStack();
  let opened: OpenedSuite;
  let byWords: OpenedSuite;
  beforeAll(async () => {
    const folder = await readModelFolder(join(FOLDER, 'models', name), SET_BY);
    const packages = findModelPackages(join(FOLDER, 'packages'), SET_BY);
    const model = stack.use(createFolderModel({ folder, packages, restAfterMs: undefined }));
    byWords = stack.use(await openDocuments({ language: 'en', rows: ROWS }));
    opened = stack.use(await openDocuments({ language: 'en', rows: ROWS }, { opened: model, weight: 0.5 }));
  });
  afterAll(() => stack.disposeAsync());

  test.each(PARAPHRASES)('%s is answered, which words refuse', async (question, said) => {
    expect((await byWords.ask(asking(question))).concise.refusal).toBeDefined();
    expect((await opened.ask(asking(question))).concise.opening).toContain(said);
  });

  test.each(['How far away is the moon?', 'Which gear do I need to drive up a steep hill?'])(
    '%s is refused',
    async (question) => {
      expect((await opened.ask(asking(question))).concise.refusal).toBeDefined();
    },
  );
});
