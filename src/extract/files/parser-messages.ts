import type { FileExtraction, FileKind } from '../extraction.ts';
import type { FileReaders } from './readers.ts';

/** Messages between the pool and a child; a child of another version is a fault of the installation. */
export const PARSER_PROTOCOL = 3;

export type ParseMessage = {
  readonly version: number;
  readonly kind: FileKind;
  readonly reader: keyof FileReaders;
  readonly bytes: Uint8Array;
};
export type ChildMessage =
  | { readonly version: number; readonly type: 'ready' }
  /** The reader is there, and begins. */
  | { readonly version: number; readonly type: 'loaded' }
  | { readonly version: number; readonly type: 'result'; readonly result: FileExtraction };
