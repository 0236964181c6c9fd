import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../../helpers/product.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { API_KEY } from './product-clients.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = join(ROOT, 'packages/client');
const run = promisify(execFile);

/** Blocks of code, each with the output that follows at once. */
const BLOCK = /```(?<language>jsx?)\n(?<code>[\s\S]*?)```(?:\s*```text\n(?<output>[\s\S]*?)```)?/g;
const blocks = ['docs/client.md', 'packages/client/README.md'].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(BLOCK)].map(({ groups }) => ({
    language: groups?.['language'] ?? '',
    code: groups?.['code'] ?? '',
    output: groups?.['output'] ?? '',
    name: `${file}: ${/import[^;]*/.exec(groups?.['code'] ?? '')?.[0]}`,
  })),
);

/** In place of React: state that is kept, and effects that run once. */
const REACT = `let kept;
export const useState = (first) => [(kept ??= first), (next) => { kept = next; }];
export const useEffect = (effect) => void effect();
export const keptState = () => kept;`;
const ASK_HOOK = `import { useSearch } from './block.js';
import { keptState } from 'react';
useSearch('solar');
while (keptState().hits.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
console.log(keptState().hits.length);`;

let product: Product;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

/** A project of somebody else, with the package as `npm pack` would make it. */
beforeAll(async () => {
  product = await startProduct();
  folder = await temporaryFolder();
  const installed = join(folder.path, 'node_modules/fossick-client');
  await mkdir(installed, { recursive: true });
  await cp(join(PACKAGE, 'package.json'), join(installed, 'package.json'));
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', PACKAGE, '--outDir', join(installed, 'dist')]);
  const react = join(folder.path, 'node_modules/react');
  await mkdir(react);
  await writeFile(join(react, 'package.json'), '{"type":"module","exports":"./index.js"}');
  await writeFile(join(react, 'index.js'), REACT);
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await product[Symbol.asyncDispose]();
});

/** Of customer 3 of the fixture, and of its engine and crawler. */
function ofFixture(code: string): string {
  return code
    .replaceAll('http://127.0.0.1:8080', product.origin)
    .replaceAll('customerId: 1', 'customerId: 3')
    .replaceAll(/(engineId|websiteid): 1/g, '$1: 6')
    .replaceAll('crawlerId: 1', 'crawlerId: 17')
    .replaceAll('<API key>', API_KEY);
}

test.each(blocks)('$name runs and prints what follows', async ({ language, code, output }) => {
  await writeFile(join(folder.path, 'block.js'), ofFixture(code));
  await writeFile(join(folder.path, 'ask-hook.js'), ASK_HOOK);

  const { stdout } = await run(process.execPath, [language === 'js' ? 'block.js' : 'ask-hook.js'], {
    cwd: folder.path,
  });

  expect(stdout).toBe(language === 'js' ? output : '3\n');
});

test('the package has no dependency, the version of the product, and everything that it names', async () => {
  const read = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const { dependencies, version, exports, license } = read(PACKAGE);
  const installed = join(folder.path, 'node_modules/fossick-client');

  expect({ dependencies, version, license }).toEqual({
    dependencies: undefined,
    version: read(ROOT).version,
    license: read(ROOT).license,
  });
  for (const path of Object.values<string>(exports['.'])) readFileSync(join(installed, path));
});
