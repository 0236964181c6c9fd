import { afterAll, beforeAll } from 'vitest';
import { installModelPackages, openDoubleModel } from '../helpers/folder-models.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { describeEmbeddingModel } from './embedding-model-suite.ts';

// By doubles of the packages; `npm run test:models` runs the suite by the packages themselves.
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await installModelPackages(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

describeEmbeddingModel(async (behaviour) => {
  const passagePrefix = { answers: '', fails: 'ends ', waits: 'hangs ' }[behaviour];
  const model = await openDoubleModel(folder.path, { name: behaviour, passagePrefix });
  return { model, [Symbol.asyncDispose]: () => model[Symbol.asyncDispose]() };
});
