import { spawn } from 'node:child_process';
import { isolated, residentBytes } from '../parser-process.ts';
import type { OcrCommand } from './ocr-command.ts';

/** 8 bits of grey per pixel, row by row. */
export type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint8Array };

/** The lines of text on a picture; undefined when it could not be read. Never rejects. */
export type RecognizePicture = (picture: Picture, signal: AbortSignal) => Promise<readonly string[] | undefined>;

/** A clean page takes 0.8 s of processor time. */
const PICTURE_MS = 120_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const POLL_MS = 100;

/**
 * Reads pictures by a program, one process each: without network where the kernel gives that, without environment, with
 * one thread, ended over its memory or after two minutes.
 */
export function createRecognizer(command: OcrCommand, memoryMb: number): RecognizePicture {
  return async (picture, signal) => {
    const { path, args } = await isolated(command);
    if (signal.aborted) return undefined;
    const child = spawn(path, args, {
      env: { OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: PICTURE_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    const watch = setInterval(async () => {
      if ((await residentBytes(child.pid)) > memoryMb * 1024 * 1024) child.kill('SIGKILL');
    }, POLL_MS);
    try {
      const ended = new Promise<number | null>((resolve) => {
        child.once('error', () => resolve(null)).once('close', resolve);
      });
      // A program that ends before it has read its input breaks the pipe.
      child.stdin.once('error', () => {}).end(pgmOf(picture));
      const text = await textOf(child.stdout);
      const isRead = (await ended) === 0 && text !== undefined;
      return isRead ? text.split('\n').map((line) => line.trim()) : undefined;
    } finally {
      clearInterval(watch);
      child.kill('SIGKILL');
    }
  };
}

/** Portable grey map (netpbm), which needs no encoder. */
function pgmOf({ width, height, pixels }: Picture): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}

/** Undefined when it is longer than a page of text can be. */
async function textOf(output: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of output) {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
