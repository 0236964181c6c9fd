import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { extract } from '../../../src/extract/extract.ts';
import { type Extraction, type ExtractInput, DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';

/** `UPDATE_GOLDEN=1` writes the expected files anew; their difference is reviewed. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const folder = new URL('./pages/', import.meta.url);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -'.html'.length));

const noFiles = () => Promise.reject(new Error('a page is no file'));

function inputOf(name: string): ExtractInput {
  return {
    url: `https://www.nordlys.example/pages/${name}`,
    body: readFileSync(new URL(`${name}.html`, folder)),
    headers: { contentType: 'text/html' },
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: Date.parse('2026-11-20T10:00:00Z'),
  };
}

/** What a reviewer can read: everything but hashes and section ids, which follow from the rest. */
function readable(extraction: Extraction): unknown {
  const { fields, structure, contentHash, similarityHash, templateBlocks, isTitleSettled, kind, cuts, ...rest } =
    extraction;
  const sections = structure.sections.map(({ id, ...section }) => section);
  const told = cuts.length > 0 ? { cuts } : {};
  return { ...rest, ...told, fields: Object.fromEntries(fields), sections, surroundings: structure.surroundings };
}

test.each(names)('%s', async (name) => {
  const extraction = await extract({ parseFile: noFiles }, inputOf(name), new AbortController().signal);
  const found = `${JSON.stringify(readable(extraction), null, 2)}\n`;
  const expected = new URL(`${name}.json`, folder);
  if (isUpdate) writeFileSync(expected, found);
  expect(JSON.parse(found)).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
});
