import { z } from 'zod';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type Extraction } from '../../../src/extract/extraction.ts';
import { createParserPool } from '../../../src/extract/files/parser-pool.ts';
import { mean } from '../ranking-measures.ts';
import { pooledF1, type Score, shingleScore, wordScore, wordScoreOfLines } from '../text-metrics.ts';
import { bytesOf, PACK_RECORD, readPack } from './read-pack.ts';
import { withoutOwnWords } from './reference-text.ts';
import type { Row, SetReport } from './set-report.ts';

const FILE_RECORD = PACK_RECORD.extend({
  kind: z.string(),
  file: z.string(),
  text: z.string().optional(),
  /** That made the text. */
  tool: z.string().optional(),
  agreement: z.number().optional(),
});
type FileRecord = z.infer<typeof FILE_RECORD>;

/** Two tools agree on the reference text: with less it is a hint only. */
const MIN_AGREEMENT = 0.9;
const POOL = { processes: 2, timeoutMs: 20_000, memoryMb: 512 };
const KILLED = new Set(['timed-out', 'out-of-memory', 'crashed']);
const LOST = new Set([...KILLED, 'unsupported', 'malformed', 'over-limit']);

type ScoredFile = {
  readonly kind: string;
  readonly status: string;
  /** Undefined without a reference text that can be trusted. */
  readonly words: Score | undefined;
  /** The same against a reference without what its tool adds, whatever lines of it repeat. */
  readonly cleaned: Score | undefined;
  readonly shingles: Score | undefined;
};

export type FileOptions = { readonly limit: number; readonly onLost: (line: string) => void };

/** Text of files against that of other tools, read in the real parser pool; every file must settle with a status. */
export async function scoreFiles(folder: string, { limit, onLost }: FileOptions): Promise<SetReport> {
  await using pool = createParserPool(POOL);
  const files: ScoredFile[] = [];
  for (const record of readPack(folder, 'files', FILE_RECORD)) {
    if (files.length === limit) break;
    const extraction = await extract({ parseFile: pool.parseFile }, inputOf(record), new AbortController().signal);
    const scored = scoreFile(record, extraction);
    files.push(scored);
    const { status, cleaned } = scored;
    if (cleaned !== undefined && (LOST.has(status) || cleaned.f1 < MIN_AGREEMENT)) {
      onLost(`${record.kind} ${record.file}: ${status}, cleaned F1 ${cleaned.f1.toFixed(3)}`);
    }
  }
  const byKind = [...Map.groupBy(files, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = [...byKind.map(([kind, own]) => fileRow(kind, own)), fileRow('all', files)];
  return {
    set: 'files',
    note: 'F1 where the reference tools agree; cleaned: without what the tool adds, lines that repeat once; crashed: killed or crashed in the pool',
    rows,
  };
}

function inputOf(record: FileRecord) {
  const name = record.file.split('/').at(-1) ?? '';
  return {
    url: `https://files.example/${encodeURIComponent(name)}`,
    body: bytesOf(record),
    headers: {},
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: Date.UTC(2026, 0, 1),
  };
}

function scoreFile({ kind, text, tool, agreement }: FileRecord, { fields, status }: Extraction): ScoredFile {
  if (text === undefined || (agreement ?? 0) < MIN_AGREEMENT) {
    return { kind, status, words: undefined, cleaned: undefined, shingles: undefined };
  }
  const content = fields.get('Content')?.[0] ?? '';
  const shingles = shingleScore(content.toLowerCase(), text.toLowerCase());
  const cleaned = wordScoreOfLines(content, withoutOwnWords(text, tool));
  return { kind, status, words: wordScore(content, text), cleaned, shingles };
}

function fileRow(name: string, files: readonly ScoredFile[]): Row {
  const words = files.map((file) => file.words).filter((score) => score !== undefined);
  const cleaned = files.map((file) => file.cleaned).filter((score) => score !== undefined);
  const shingles = files.map((file) => file.shingles).filter((score) => score !== undefined);
  const share = (isSo: (file: ScoredFile) => boolean) => mean(files.map((file) => Number(isSo(file))));
  const scores =
    words.length === 0
      ? {}
      : {
          'word F1': meanF1(words),
          'cleaned F1': meanF1(cleaned),
          'shingle F1': pooledF1(shingles),
        };
  return {
    name,
    count: files.length,
    figures: {
      ...scores,
      scored: words.length,
      read: share(({ status }) => status === 'ok' || status === 'empty'),
      crashed: share(({ status }) => KILLED.has(status)),
    },
  };
}

function meanF1(scores: readonly Score[]): number {
  return mean(scores.map(({ f1 }) => f1));
}
