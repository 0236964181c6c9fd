import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ScorecardRow } from '../../scripts/scorecard/row.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'scripts/scorecard');
const areas = readdirSync(FOLDER)
  .filter((file) => file !== 'row.ts')
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
