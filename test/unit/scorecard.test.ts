import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScorecardRow } from '../../scripts/scorecard/row.ts';
import { withResults } from '../../scripts/scorecard/table.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'scripts/scorecard');
const areas = readdirSync(FOLDER)
  .filter((file) => file !== 'row.ts' && file !== 'table.ts')
  .map((file) => file.replace(/\.ts$/, ''));

async function rowsOf(area: string): Promise<readonly ScorecardRow[]> {
  return (await import(`${FOLDER}/${area}.ts`)).rows;
}

test.each(areas)('each promise about %s names a test that exists', async (area) => {
  for (const { id, file, test: name } of await rowsOf(area)) {
    const text = readFileSync(join(ROOT, file), 'utf8');

    expect(id.split('.')[0], id).toBe(area);
    if (name !== undefined) expect(text.includes(name), `${file} has a test «${name}»`).toBe(true);
  }
});

test('the scorecard runs every area', () => {
  const script = readFileSync(join(ROOT, 'scripts/scorecard.ts'), 'utf8');

  for (const area of areas) expect(script, area).toContain(`./scorecard/${area}.ts`);
});

test('a row that was not run keeps its line, and a promise that is no longer made loses it', () => {
  const rows = ['one', 'two', 'three'].map((promise) => ({ id: `area.${promise}`, promise, file: 'x.test.ts' }));
  const line = (promise: string, figure: string) => `| ${promise} | holds | ${figure} |`;
  const document = (...lines: readonly string[]) =>
    `before\n<!-- scorecard: begin -->\n| Promise | Result | Figure |\n| --- | --- | --- |\n${lines.join('\n')}\n<!-- scorecard: end -->\nafter\n`;

  const [row] = rows.slice(2);
  const results = row === undefined ? [] : [{ row, holds: true, figure: 'new' }];
  const written = withResults(document(line('three', 'old'), line('gone', 'old'), line('one', 'old')), rows, results);

  expect(written).toBe(document(line('one', 'old'), line('three', 'new')));
});
