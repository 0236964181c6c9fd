import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { staleFiles } from '../../../scripts/generate-docs.ts';
import { COMMANDS } from '../../../src/cli/main.ts';
import { VARIABLE_NAMES } from '../../../src/config/config.ts';
import { REASONS } from '../../../src/core/crawl-words.ts';
import { ERROR_POLICY } from '../../../src/core/errors.ts';

test('generated files are fresh (else: node scripts/generate-docs.ts)', async () => {
  expect(await staleFiles()).toEqual([]);
});

test('docs/errors.md and the error table hold the same codes', async () => {
  const page = await readFile('docs/errors.md', 'utf8');

  expect([...page.matchAll(/^\| `([a-z.-]+)` \|/gm)].map((match) => match[1])).toEqual(Object.keys(ERROR_POLICY));
});

test('docs/reasons.md names every reason of a visit, and docs/operations.md leads to it', async () => {
  const page = await readFile('docs/reasons.md', 'utf8');

  expect([...page.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map((match) => match[1])).toEqual(REASONS);
  expect(await readFile('docs/operations.md', 'utf8')).toContain('(reasons.md)');
});

test('docs/configuration.md and .env.example name every variable once', async () => {
  const page = await readFile('docs/configuration.md', 'utf8');
  const example = await readFile('.env.example', 'utf8');

  expect([...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map((match) => match[1]).sort()).toEqual(
    [...VARIABLE_NAMES].sort(),
  );
  expect([...example.matchAll(/^#([A-Z0-9_]+)=$/gm)].map((match) => match[1]).sort()).toEqual(
    [...VARIABLE_NAMES].sort(),
  );
});

test('docs/commands.md names every command', async () => {
  const page = await readFile('docs/commands.md', 'utf8');

  for (const { name } of COMMANDS) expect(page).toContain(`| \`fossick ${name}`);
});

test('every variable is read somewhere', () => {
  const sources = globSync(['src/**/*.ts', 'workers/*.ts', 'scripts/setup/*.mjs', 'scripts/setup.mjs'])
    .filter((path) => path !== 'src/config/config.ts')
    .map((path) => readFileSync(path, 'utf8'));
  const isRead = (name: string) => {
    const pattern = new RegExp(`(?:config|process\\.env|environment)(?:\\.|\\[')${name}\\b|\\b${name}: \\w`);
    return sources.some((text) => pattern.test(text));
  };

  expect(VARIABLE_NAMES.filter((name) => !isRead(name))).toEqual([]);
});
