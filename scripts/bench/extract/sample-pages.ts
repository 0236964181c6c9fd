import { urlOf, WCXB_RECORD } from '../../evaluate/extraction/page-records.ts';
import { bytesOf, readPack } from '../../evaluate/extraction/read-pack.ts';
import type { BenchPage } from './contestant.ts';

/** `size` pages, spread over all hosts of the pack. */
export function samplePages(folder: string, size: number): readonly BenchPage[] {
  const all = [...readPack(folder, 'wcxb-dev', WCXB_RECORD)].map((record) => ({
    url: urlOf(record),
    body: bytesOf(record),
  }));
  const step = Math.max(1, all.length / size);
  return Array.from({ length: Math.min(size, all.length) }, (_, i) => all[Math.floor(i * step)]).filter(
    (page) => page !== undefined,
  );
}
