import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { createParserPool } from '../../../src/extract/files/parser-pool.ts';
import { bytesOf, PACK_RECORD, readPack } from '../../evaluate/extraction/read-pack.ts';
import { cpuMs, isRunning, memoryOf } from '../process-costs.ts';

export type PdfFigures = {
  readonly files: number;
  readonly pages: number;
  readonly cpuMs: number;
  readonly mb: number;
};

const POOL = { processes: 1, timeoutMs: 20_000, memoryMb: 512 };
const FILE = PACK_RECORD.extend({ agreement: z.number().optional() });
const MIN_AGREEMENT = 0.9;

/** PDF files whose text two tools agree on, in one child: its CPU time after a first file, and its memory at most. */
export async function measurePdf(folder: string): Promise<PdfFigures> {
  await using pool = createParserPool(POOL);
  const files = [...readPack(folder, 'files-pdf', FILE)].filter(({ agreement }) => (agreement ?? 0) >= MIN_AGREEMENT);
  const never = new AbortController().signal;
  const figures = { files: 0, pages: 0, cpuMs: 0, mb: 0 };
  let child = 0;
  let before = 0;
  for (const file of files) {
    const { pageCount = 0, status } = await pool.parseFile(bytesOf(file), 'pdf', never);
    const present = parserChild();
    if (present === undefined) continue;
    const used = cpuMs(present);
    if (present === child && status === 'ok') {
      figures.files++;
      figures.pages += pageCount;
      figures.cpuMs += used - before;
    }
    child = present;
    before = used;
    figures.mb = Math.max(figures.mb, memoryOf(present).resident);
  }
  return figures;
}

/** The parser child of this process (Linux); one that has just ended may still be listed. */
function parserChild(): number | undefined {
  const tasks = readdirSync('/proc/self/task');
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '));
  return children
    .filter((pid) => pid !== '')
    .map(Number)
    .find(isRunning);
}
