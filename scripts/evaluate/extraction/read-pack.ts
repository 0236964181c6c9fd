import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';

/** Members that pages and files of every pack have: the bytes are in one of the last three. */
export const PACK_RECORD = z.object({
  id: z.string(),
  url: z.string(),
  /** Valid UTF-8. */
  html: z.string().optional(),
  /** One character per byte. */
  latin1: z.string().optional(),
  base64: z.string().optional(),
});
export type PackRecord = z.infer<typeof PACK_RECORD>;

/**
 * Records of all `<name>-NN.jsonl.br` of a folder in the order of their names: JSON lines, compressed by Brotli.
 *
 * @throws Error when the folder has none
 */
export function* readPack<T>(folder: string, name: string, shape: z.ZodType<T>): Generator<T> {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}-`) && file.endsWith('.jsonl.br'));
  if (files.length === 0) throw new Error(`There is no ${name}-*.jsonl.br in ${folder}`);
  for (const file of files.sort()) {
    const lines = brotliDecompressSync(readFileSync(join(folder, file)))
      .toString()
      .split('\n');
    for (const line of lines) if (line !== '') yield shape.parse(JSON.parse(line));
  }
}

/** The bytes as they were fetched. */
export function bytesOf({ html, latin1, base64 }: PackRecord): Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return latin1 === undefined ? Buffer.from(html ?? '') : Buffer.from(latin1, 'latin1');
}

export const FOLDS = ['tuning', 'held-out'] as const;
export type Fold = (typeof FOLDS)[number];

/** Pages of one host are in one fold: rules are fitted on one, and the other tells what they are worth. */
export function foldOf(record: Pick<PackRecord, 'url' | 'id'>): Fold {
  return (hostNumber(record) & 1) === 0 ? 'tuning' : 'held-out';
}

/** 0 to 255, the same for all pages of a host. */
export function hostNumber({ url, id }: Pick<PackRecord, 'url' | 'id'>): number {
  const host = /^https?:\/\/(?:www\.)?([^/:]+)/.exec(url)?.[1] ?? id;
  return createHash('sha1').update(host).digest()[0] ?? 0;
}
