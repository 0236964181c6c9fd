import type { ChunkTable } from './chunks.ts';

/** Written by the build. */
declare const LANGUAGE_CHUNKS: ChunkTable;

/** Texts of the interface by language, in lower case. A part of its own: in English nobody needs it. */
export const languages = LANGUAGE_CHUNKS;
