import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Mutant } from './mutants.ts';

const sampleSchema = z.array(
  z.strictObject({
    file: z.string(),
    /** The line that it changes, or a part of it, which stands once in the file. */
    line: z.string(),
    before: z.string(),
    after: z.string(),
    /** Which `before` of the line, from 0. */
    occurrence: z.int().default(0),
    /** The test file that noticed it last: tried first. */
    test: z.string().optional(),
    /** Why no test can notice it, or none should: it counts as not noticed, and is not tried. */
    unnoticed: z.string().optional(),
  }),
);
type Sample = z.input<typeof sampleSchema>;

type SampledMutant = {
  readonly file: string;
  readonly mutant: Mutant;
  readonly source: string;
  readonly test: string | undefined;
  readonly unnoticed: string | undefined;
};

/**
 * The mutants of `sample.json`, in its order: drawn once, at most one per file, so that the score of one year can be
 * compared with that of another. A line that moved is found by its text.
 *
 * @throws Error when a line is not there any more: give the mutant another line of its subject
 */
export async function readSample(root: string): Promise<readonly SampledMutant[]> {
  const sample = sampleSchema.parse(JSON.parse(await readFile(pathOf(root), 'utf8')));
  return Promise.all(
    sample.map(async ({ file, line, before, after, occurrence, test, unnoticed }) => {
      const source = await readFile(join(root, file), 'utf8').catch(() => '');
      const lineStart = source.indexOf(line);
      let at = line.indexOf(before);
      for (let i = 0; i < occurrence; i++) at = line.indexOf(before, at + 1);
      if (lineStart < 0 || at < 0) throw new Error(`sample.json: ${file} has no line "${line}" any more`);
      const start = lineStart + at;
      return { file, source, test, unnoticed, mutant: { start, end: start + before.length, text: after } };
    }),
  );
}

/** Names the test file that noticed each mutant, in the order of the sample. */
export async function writeTests(root: string, tests: readonly (string | undefined)[]): Promise<void> {
  const sample: Sample = JSON.parse(await readFile(pathOf(root), 'utf8'));
  const written = sample.map((entry, i) => ({ ...entry, test: tests[i] }));
  await writeFile(pathOf(root), `${JSON.stringify(written, undefined, 2)}\n`);
}

function pathOf(root: string): string {
  return join(root, 'scripts/mutation/sample.json');
}
