import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMarks } from '../../../src/extract/html/block-rules.ts';
import { collectBlocks } from '../../../src/extract/html/blocks.ts';
import { scoreBlocks, selectionScores } from '../../../src/extract/html/choose-blocks.ts';
import { builtInModel } from '../../../src/extract/html/content-model.ts';
import { collectFacts } from '../../../src/extract/html/page-facts.ts';
import { parsePage } from '../../../src/extract/html/page-tree.ts';
import { readJsonLd } from '../../../src/extract/html/structured-data.ts';

/** `UPDATE_GOLDEN=1` writes the scores anew: after a change of features or weights. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const expectedFile = new URL('./scores.json', import.meta.url);
const PAGES = ['article', 'forum', 'product', 'listing', 'documentation'];

type Scores = readonly (readonly [probability: number, selection: number, text: string])[];

async function scoresOf(name: string): Promise<Scores> {
  const url = `https://www.nordlys.example/pages/${name}`;
  const tree = parsePage(readFileSync(new URL(`./pages/${name}.html`, import.meta.url), 'utf8'));
  const facts = collectFacts(tree, url);
  const { blocks } = collectBlocks(tree, readMarks);
  const model = builtInModel();
  const page = { url, facts, items: readJsonLd(facts.jsonLd), isRendered: false, pause: async () => {} };
  const scored = await scoreBlocks(model, blocks, page);
  const selection = selectionScores(model, scored);
  const rounded = (value = 0) => Number(value.toFixed(7));
  return blocks.map(({ text }, at) => [rounded(scored.scores[at]), rounded(selection[at]), text.slice(0, 40)]);
}

const found = Object.fromEntries(await Promise.all(PAGES.map(async (name) => [name, await scoresOf(name)] as const)));
if (isUpdate) writeFileSync(expectedFile, `${JSON.stringify(found, null, 1)}\n`);
const expected: Readonly<Record<string, Scores>> = JSON.parse(readFileSync(expectedFile, 'utf8'));

test.each(PAGES)('the blocks of %s keep their probabilities and their worth', (name) => {
  const [own = [], known = []] = [found[name], expected[name]];
  expect(own.map(([, , text]) => text)).toEqual(known.map(([, , text]) => text));
  for (const [at, [probability, selection]] of own.entries()) {
    expect(probability).toBeCloseTo(known[at]?.[0] ?? -1, 6);
    expect(selection).toBeCloseTo(known[at]?.[1] ?? -1, 6);
  }
});
