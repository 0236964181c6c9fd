import { createReadStream, existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type GeneratedDocument, generateCorpus } from '../generate-corpus.ts';

const LINES_PER_WRITE = 2_000;

/** Writes the generated corpus as one JSON document per line, unless the file is there. */
export async function writeCorpus(file: string, documents: number): Promise<void> {
  if (existsSync(file)) return;
  await using handle = await open(`${file}.part`, 'w');
  let lines: string[] = [];
  for (const document of generateCorpus(documents)) {
    lines.push(`${JSON.stringify(document)}\n`);
    if (lines.length < LINES_PER_WRITE) continue;
    await handle.write(lines.join(''));
    lines = [];
  }
  await handle.write(lines.join(''));
  await rename(`${file}.part`, file);
}

/** The documents of a corpus file in order, one at a time in memory. */
export async function* readCorpus(file: string): AsyncGenerator<GeneratedDocument> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    yield JSON.parse(line) as GeneratedDocument;
  }
}
