import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../helpers/cli.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const TEXT = 'The spade of the shop digs deep holes in every garden of the country, and never rusts. '.repeat(3);
const PAGE = `<html lang="en"><head><title>Spade</title></head><body><nav><p>Menu of the shop</p></nav>
<main><h1>Spade</h1><p>${TEXT}</p><h2 id="care">Care</h2><p>Oil it once.</p><p class="price">1.299,95 kr</p>
<a href="/next">Next</a></main></body></html>`;
const SETTINGS = `content:
  exclude: [nav]
  fields:
    - { name: Price_number, selector: .price }
    - { name: Colour, selector: .none }
`;

async function withFiles(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  const run = (...args: readonly string[]) => runCli(['extract', ...args], { folder: folder.path });
  return { path: folder.path, run, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('a file is read with its fields, sections and notes', async () => {
  await using files = await withFiles({ 'page.html': PAGE });

  const { code, out } = await files.run(join(files.path, 'page.html'));

  expect(code).toBe(0);
  expect(out).toMatch(/^result +ok$/m);
  expect(out).toMatch(/^Title +h1 +Spade$/m);
  expect(out).toMatch(/^Spade > Care +- +yes +\d+ +Oil it once\.$/m);
  expect(out).not.toContain('around the main text');
});

test('asked to explain, it tells of every block and every rule', async () => {
  await using files = await withFiles({ 'page.html': PAGE, 'shop.yaml': SETTINGS });

  const { out } = await files.run(join(files.path, 'page.html'), '--explain', '--settings', 'shop.yaml');

  expect(out).toMatch(/^false +\d\.\d\d +- +exclude +paragraph +a rule excludes it +Menu of the shop$/m);
  expect(out).toMatch(/^true +.* +heading +.*Care$/m);
  expect(out).toMatch(/^Price_number +content\.fields\[0\] +1299\.95$/m);
  expect(out).toMatch(/^content\.fields\[0\] +Price_number +used +0 +1\.299,95 kr +1299\.95$/m);
  expect(out).toMatch(/^content\.fields\[1\] +Colour +no-value +0/m);
});

test('a URL is fetched, and what was read of it is JSON', async () => {
  await using site = await startSiteServer({ '/spade': { body: PAGE } });

  const { code, out } = await runCli(['extract', `${site.origin}/spade`, '--json', '--profile', 'recall']);

  expect(code).toBe(0);
  const read = JSON.parse(out);
  expect(read).toMatchObject({
    url: `${site.origin}/spade`,
    httpStatus: 200,
    status: 'ok',
    kind: 'PageContent',
    media: 'html',
    language: 'en',
    sections: [
      { headings: ['Spade'], grounding: true, page: null },
      { headings: ['Spade', 'Care'], anchor: 'care' },
    ],
    rules: [],
  });
  expect(read.blocks).toContainEqual({
    text: 'Menu of the shop',
    kind: 'paragraph',
    chosen: false,
    rule: null,
    share: 0,
    probability: read.blocks[0].probability,
    why: expect.any(String),
  });
  expect(read.links).toContainEqual(expect.objectContaining({ url: `${site.origin}/next`, inScope: true }));
});

test('a file of another format is read by its parser', async () => {
  await using files = await withFiles({ 'notes.txt': 'Oil the blade once a year.\n' });

  const { out } = await files.run(join(files.path, 'notes.txt'), '--json');

  expect(JSON.parse(out)).toMatchObject({ kind: 'FileContent', status: 'ok', blocks: [], httpStatus: null });
});

test.each([
  ['nothing', [], 2, /usage: fossick extract <url\|file>/],
  ['a file that is not there', ['none.html'], 3, /There is no file none\.html, and it is no http or https URL/],
  ['a folder', ['folder'], 2, /folder is no file/],
  ['a wrong profile', ['page.html', '--profile', 'best'], 2, /content\.profile: must be one of precision, /],
  ['wrong settings', ['page.html', '--settings', 'wrong.json'], 2, /content\.fields\[0\]: .*exactly one of/],
  ['a list as settings', ['page.html', '--settings', 'list.json'], 2, /must hold the settings of a crawler/],
  ['settings that are not there', ['page.html', '--settings', 'none.yaml'], 2, /none\.yaml/],
  ['a page that is not there', ['http://127.0.0.1:1/'], 1, /./],
])('%s ends with its exit code and a sentence', async (_, args, code, message) => {
  const wrong = JSON.stringify({ content: { fields: [{ name: 'A' }] } });
  await using files = await withFiles({ 'page.html': PAGE, 'wrong.json': wrong, 'list.json': '[]' });
  await mkdir(join(files.path, 'folder'));
  const named = args.map((arg) => (/^(?:page|folder)/.test(arg) ? join(files.path, arg) : arg));

  const result = await files.run(...named);

  expect(result.code).toBe(code);
  expect(result.err).toMatch(message);
});
