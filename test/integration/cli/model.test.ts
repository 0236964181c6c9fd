import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../helpers/cli.ts';
import { startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { addDoubleModel, DOUBLE_DIMENSIONS, doubleFiles, installModelPackages } from '../../helpers/folder-models.ts';
import { zipOf } from '../../helpers/sample-files.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const { model: MODEL, tokenizer: TOKENIZER } = doubleFiles();
const archiveOf = (files: Readonly<Record<string, Buffer | string>>) =>
  zipOf(Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) })));
const ARCHIVE = archiveOf({
  'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0',
  '../../escaped.txt': 'out of the folder',
  '../deep/bge-small-en-v1.5-q.onnx': MODEL,
  '/bge-small-en-v1.5-q-tokenizer.json': TOKENIZER,
});
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const stack = new AsyncDisposableStack();
let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = stack.use(await temporaryFolder()).path;
  dataDir = join(folder, 'data');
});
afterAll(() => stack.disposeAsync());

const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runCli(['model', ...args], { folder, environment: { DATA_DIR: dataDir, ...environment } });

async function fileOf(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

test('a model is taken out of an archive, asked, and named with what to do next', async () => {
  const archive = await fileOf('some-1.0.jar', ARCHIVE);

  const { code, out } = await run(['add', archive]);

  const added = join(dataDir, 'models', 'bge-small-en-v1.5-q');
  expect(code).toBe(0);
  expect(out).toMatch(/^pooling +cls$/m);
  expect(out).toContain(`npm install --ignore-scripts --prefix "${join(dataDir, 'packages')}" onnxruntime-node`);
  expect(out).toContain(`EMBEDDING_MODEL_FOLDER=${added} npm start`);
  expect((await readdir(added)).sort()).toEqual(['fossick-model.json', 'model.onnx', 'tokenizer.json']);
  expect(await readFile(join(added, 'model.onnx'))).toEqual(MODEL);
  expect((await readdir(join(dataDir, 'models'))).sort()).toEqual(['bge-small-en-v1.5-q']);
  expect(JSON.parse(await readFile(join(added, 'fossick-model.json'), 'utf8'))).toMatchObject({
    name: 'bge-small-en-v1.5-q',
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
    sha256: { model: digestOf(MODEL), tokenizer: digestOf(TOKENIZER) },
  });

  await installModelPackages(dataDir);
  const tested = await run(['test', '--json'], { EMBEDDING_MODEL_FOLDER: added });
  expect(tested).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(tested.out)).toEqual([
    {
      kind: 'embedding',
      name: expect.stringMatching(/^bge-small-en-v1.5-q@/),
      answers: true,
      dimensions: DOUBLE_DIMENSIONS,
      firstMillis: expect.any(Number),
      millis: expect.any(Number),
    },
  ]);
});

describe('from an address', () => {
  test('with its digest', async () => {
    await using site = await startSiteServer({ '/e5.jar': { body: ARCHIVE } });
    const args = ['add', `${site.origin}/e5.jar`, '--name', 'e5-small', '--sha256', digestOf(ARCHIVE).toUpperCase()];
    expect(await run(args)).toMatchObject({ code: 0, err: '' });
    const description = await readFile(join(dataDir, 'models', 'e5-small', 'fossick-model.json'), 'utf8');
    expect(JSON.parse(description)).toMatchObject({ pooling: 'mean', queryPrefix: 'query: ' });
  });

  test.each<[string, readonly string[], RegExp]>([
    ['another digest', ['--sha256', '0'.repeat(64)], /has the sha256 [0-9a-f]{64}, not the one that was given/],
    ['no digest and no https', [], /is no https address: give its --sha256/],
  ])('with %s nothing is kept', async (_, options, message) => {
    await using site = await startSiteServer({ '/minilm.jar': { body: ARCHIVE } });
    const { code, err } = await run(['add', `${site.origin}/minilm.jar`, '--name', 'minilm-refused', ...options]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(await readdir(join(dataDir, 'models'))).not.toContain('minilm-refused');
  });

  test('that leads nowhere', async () => {
    await using site = await startSiteServer({});
    const { code, err } = await run(['add', `${site.origin}/gone.jar`, '--sha256', digestOf(ARCHIVE)]);
    expect(code).toBe(2);
    expect(err).toMatch(/answered 404, without a file/);
  });
});

test('a folder as models are published is copied', async () => {
  const published = join(folder, 'all-MiniLM-L6-v2');
  await mkdir(join(published, 'onnx'), { recursive: true });
  await writeFile(join(published, 'onnx', 'model.onnx'), MODEL);
  await writeFile(join(published, 'tokenizer.json'), TOKENIZER);
  expect(await run(['add', published, '--sha256', digestOf(MODEL)])).toMatchObject({ code: 0, err: '' });
  const description = await readFile(join(dataDir, 'models', 'all-MiniLM-L6-v2', 'fossick-model.json'), 'utf8');
  expect(JSON.parse(description)).toMatchObject({ pooling: 'mean', queryPrefix: '', maxTokens: 256 });
});

test('one of a kind that is not known needs to be told how it is used', async () => {
  const archive = await fileOf('own.zip', archiveOf({ 'own.onnx': MODEL, 'tokenizer.json': TOKENIZER }));
  expect(await run(['add', archive])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/say --pooling mean or cls/),
  });
  expect(await run(['add', archive, '--pooling', 'max'])).toMatchObject({ code: 2 });
  const told = ['--pooling', 'cls', '--query-prefix', 'ask: ', '--max-tokens', '128'];
  expect(await run(['add', archive, ...told])).toMatchObject({ code: 0 });
  const description = await readFile(join(dataDir, 'models', 'own', 'fossick-model.json'), 'utf8');
  expect(JSON.parse(description)).toMatchObject({
    pooling: 'cls',
    queryPrefix: 'ask: ',
    passagePrefix: '',
    maxTokens: 128,
  });
});

test.each<[string, () => Uint8Array | string, RegExp]>([
  ['no archive', () => 'text', /is no zip archive that is read here/],
  [
    'an archive without a model',
    () => archiveOf({ 'tokenizer.json': TOKENIZER }),
    /has no model: a file that ends with .onnx/,
  ],
  ['an archive without a tokenizer', () => archiveOf({ 'e5-a.onnx': MODEL }), /has no tokenizer.json/],
  [
    'an archive of several models',
    () => archiveOf({ 'e5-a.onnx': MODEL, 'e5-b.onnx': MODEL, 'tokenizer.json': TOKENIZER }),
    /has several: e5-a.onnx, e5-b.onnx/,
  ],
  ['an archive that is cut', () => ARCHIVE.subarray(0, ARCHIVE.length / 2), /is no zip archive that is read here/],
])('%s is refused', async (_, bytes, message) => {
  const { code, err } = await run(['add', await fileOf('refused.zip', bytes()), '--name', 'e5-refused']);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(await readdir(join(dataDir, 'models'))).not.toContain('e5-refused');
});

test('what does not exist is not found', async () => {
  expect(await run(['add', join(folder, 'nowhere')])).toMatchObject({ code: 3 });
});

test('every model of the configuration is asked, and one that does not answer is told with its reason', async () => {
  await using server = await startFakeModelServer();
  expect((await run(['test'])).out).toMatch(/^no model is configured: LLM_BASE_URL/);
  const language = { LLM_BASE_URL: server.baseUrl, LLM_MODEL: 'http:404' };
  const embedding = { EMBEDDING_MODEL_FOLDER: await addDoubleModel(dataDir, { name: 'odd', model: {} }) };

  const { code, out } = await run(['test', '--json'], { ...language, ...embedding });

  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual([
    { kind: 'language', name: 'http:404', answers: false, fault: 'http-status 404' },
    {
      kind: 'embedding',
      name: expect.stringMatching(/^odd@/),
      answers: false,
      fault: 'settings: model.onnx cannot be loaded: no model can be read',
    },
  ]);
  expect(await run(['test'], { ...language, LLM_MODEL: 'ok' })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ok +yes|ok +true/),
  });
});
