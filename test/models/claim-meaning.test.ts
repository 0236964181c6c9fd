import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createNearness } from '../../src/ai/nearness.ts';
import { createFolderModel, findModelPackages } from '../../src/llm/onnx/embedding-model.ts';
import { readModelFolder } from '../../src/llm/onnx/model-folder.ts';
import { guardFigures } from '../helpers/guard-figures.ts';
import { unaborted } from '../helpers/model-calls.ts';

// Real models, of which one told the weights of the guard and the others did not.
const FOLDER = process.env['MODELS_FOLDER'] ?? '';
const SET_BY = 'MODELS_FOLDER';

describe.each(readdirSync(join(FOLDER, 'models')))('the guard with %s', (name) => {
  test.each([
    ['tuning', 0.8, 0.15],
    ['blind', 0.7, 0.2],
    ['blind-2', 0.75, 0.3],
  ])('sends more that is true and hardly more lies than by words: %s', async (part, leastTrue, mostLies) => {
    const folder = await readModelFolder(join(FOLDER, 'models', name), SET_BY);
    const packages = findModelPackages(join(FOLDER, 'packages'), SET_BY);
    await using model = createFolderModel({ folder, packages, restAfterMs: undefined });
    // Loading takes longer than an answer waits.
    await model.embed(['ready'], 'passage', unaborted());
    const open = createNearness(model);

    const { truths, lies } = await guardFigures(part, () => open(unaborted()));

    expect(truths.sent / truths.said).toBeGreaterThanOrEqual(leastTrue);
    expect(lies.sent / lies.said).toBeLessThanOrEqual(mostLies);
  });
});
