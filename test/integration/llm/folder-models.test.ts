import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddingModels } from '../../../src/compose/models/embedding-models.ts';
import { CONFIG } from '../../../src/config/config.ts';
import type { AppError } from '../../../src/core/errors.ts';
import { modelFaultOf } from '../../../src/llm/model-fault.ts';
import { cosine } from '../../contract/embedding-model-suite.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  addDoubleModel,
  type FolderModelChoice,
  installModelPackages,
  openDoubleModel,
} from '../../helpers/folder-models.ts';
import { unaborted } from '../../helpers/model-calls.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

// A model of this machine, by doubles of its packages in a real process.
const stack = new AsyncDisposableStack();
let dataDir: string;
beforeAll(async () => {
  dataDir = stack.use(await temporaryFolder()).path;
  await installModelPackages(dataDir);
});
afterAll(() => stack.disposeAsync());

const faultOf = async (call: Promise<unknown>) =>
  modelFaultOf(
    await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );

test('questions and passages get the prefixes of the model', async () => {
  await using model = await openDoubleModel(dataDir, { queryPrefix: 'query: ', passagePrefix: 'passage: ' });
  const [question] = await model.embed(['pump'], 'query', unaborted());
  const [passage, prefixed] = await model.embed(['pump', 'query: pump'], 'passage', unaborted());
  expect(cosine(question, passage)).toBeLessThan(0.9);
  expect(cosine(question, prefixed)).toBeGreaterThan(cosine(question, passage));
});

test.each([
  ['cls', 1],
  ['mean', 0.8],
] as const)('pooling %s', async (pooling, likeness) => {
  await using model = await openDoubleModel(dataDir, { pooling });
  // Of the double the first token gives what the first word gives.
  const [short, long] = await model.embed(['pump', 'pump bar dog cat hen'], 'passage', unaborted());
  expect(cosine(short, long) >= likeness).toBe(pooling === 'cls');
});

test('what a text has over the length of the model is left out, its end mark is not', async () => {
  await using model = await openDoubleModel(dataDir, { maxTokens: 8 });
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  const [cut, same] = await model.embed(
    [[...words, 'and', 'very', 'much', 'more'].join(' '), words.join(' ')],
    'passage',
    unaborted(),
  );
  expect(cosine(cut, same)).toBeCloseTo(1);
});

test.each(['refused', 'empty'])('a text that gives no vector (%s) is a fault of its own', async (text) => {
  await using model = await openDoubleModel(dataDir);
  expect(await faultOf(model.embed([text], 'passage', unaborted()))).toEqual({ reason: 'bad-vectors' });
  expect(await model.embed(['pump'], 'passage', unaborted())).toHaveLength(1);
});

test('a process that dies fails its text, and the next text has another one', async () => {
  await using model = await openDoubleModel(dataDir);
  expect(await faultOf(model.embed(['ends'], 'passage', unaborted()))).toEqual({ reason: 'reset', code: '3' });
  expect(await model.embed(['pump'], 'passage', unaborted())).toHaveLength(1);
});

test('a question does not wait for all passages of another call', async () => {
  await using model = await openDoubleModel(dataDir);
  const settled: string[] = [];
  const passages = model.embed(Array(64).fill('pump'), 'passage', unaborted()).then(() => settled.push('passages'));
  await Promise.all([passages, model.embed(['pump'], 'query', unaborted()).then(() => settled.push('question'))]);
  expect(settled).toEqual(['question', 'passages']);
});

test('a model without work gives its process back, and embeds again all the same', async () => {
  const processes = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
  // Those of other tests of this worker go first.
  await eventually(() => processes() === 0);
  await using model = await openDoubleModel(dataDir, { restAfterMs: 20 });
  expect(processes()).toBe(0);
  const embedded = model.embed(['pump'], 'passage', unaborted());
  await eventually(() => processes() === 1);
  expect(await embedded).toHaveLength(1);
  await eventually(() => processes() === 0);
  expect(await model.embed(['pump'], 'passage', unaborted())).toHaveLength(1);
});

describe('what is wrong with it is said', () => {
  const openWith = async (path: string, folder = dataDir) => {
    const config = CONFIG.parse({ DATA_DIR: folder, EMBEDDING_MODEL_FOLDER: path });
    return openEmbeddingModels(stack, { config, log: silentLog, report: () => undefined });
  };
  const messageOf = async (path: string, folder?: string) =>
    openWith(path, folder).then(
      () => undefined,
      (error: AppError) => `${error.code} ${error.message}`,
    );

  test('at the start: packages that are not installed, with the command', async () => {
    await using empty = await temporaryFolder();
    const packages = join(empty.path, 'packages');
    expect(await messageOf(await addDoubleModel(dataDir), empty.path)).toBe(
      `request.invalid EMBEDDING_MODEL_FOLDER needs onnxruntime-node and @huggingface/tokenizers, which are not installed: npm install --ignore-scripts --prefix "${packages}" onnxruntime-node @huggingface/tokenizers`,
    );
  });

  test.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['no folder', (path) => rm(path, { recursive: true }), /holds no fossick-model.json: "fossick model add /],
    ['a damaged description', (path) => appendFile(join(path, 'fossick-model.json'), '}'), /cannot be read/],
    ['no model', (path) => rm(join(path, 'model.onnx')), /no model.onnx that can be read/],
    ['another model', (path) => appendFile(join(path, 'model.onnx'), ' '), /another model.onnx than was added/],
    ['another tokenizer', (path) => writeFile(join(path, 'tokenizer.json'), '{}'), /another tokenizer.json/],
  ])('at the start: %s', async (_, damage, message) => {
    const path = await addDoubleModel(dataDir, { name: 'damaged' });
    await damage(path);
    expect(await messageOf(path)).toMatch(message);
  });

  test.each<[string, object, string]>([
    [
      'inputs of another kind',
      { inputs: ['pixel_values'], outputs: ['last_hidden_state'] },
      'model.onnx is no encoder of the BERT family: it takes pixel_values and gives last_hidden_state',
    ],
    [
      'outputs of another kind',
      { inputs: ['input_ids'], outputs: ['logits'] },
      'model.onnx is no encoder of the BERT family: it takes input_ids and gives logits',
    ],
    ['a model that cannot be read', {}, 'model.onnx cannot be loaded: no model can be read'],
  ])('at the first text: %s', async (_, model, problem) => {
    const opened = await openWith(await addDoubleModel(dataDir, { name: 'odd', model }));
    const fault = await faultOf(opened?.configured.embed(['pump'], 'passage', unaborted()) ?? Promise.resolve());
    expect(fault).toEqual({ reason: 'settings', problem });
    // A question, which waits for nothing long, is told as well.
    expect(await faultOf(opened?.configured.embed(['pump'], 'query', unaborted()) ?? Promise.resolve())).toEqual(fault);
  });

  test('at the first text: a package of another form', async () => {
    await using other = await temporaryFolder();
    await installModelPackages(other.path, 'export const other = 1;');
    const opened = await openWith(await addDoubleModel(other.path), other.path);
    expect(await faultOf(opened?.configured.embed(['pump'], 'passage', unaborted()) ?? Promise.resolve())).toEqual({
      reason: 'settings',
      problem: 'a package has no InferenceSession: is it of another version?',
    });
  });
});

test('a model of another name is not asked, and other weights or another use have another name', async () => {
  const opened = async (choice: FolderModelChoice) => {
    const path = await addDoubleModel(dataDir, { name: 'one', ...choice });
    const config = CONFIG.parse({ DATA_DIR: dataDir, EMBEDDING_MODEL_FOLDER: path });
    return openEmbeddingModels(stack, { config, log: silentLog, report: () => undefined, restAfterMs: 1_000 });
  };
  const models = await opened({});
  const id = models?.configured.id ?? '';
  expect(id).toMatch(/^one@[0-9a-f]{8}$/);
  expect(models?.named(id)).toBe(models?.configured);
  expect(models?.named('one')).toBeUndefined();
  expect((await opened({}))?.configured.id).toBe(id);
  expect((await opened({ pooling: 'cls' }))?.configured.id).not.toBe(id);
  expect((await opened({ model: { inputs: ['input_ids'], outputs: [] } }))?.configured.id).not.toBe(id);
});
