import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { createVocabulary, EMPTY_VOCABULARY, type Vocabulary } from '../../text/compounds.ts';
import { wordsFile } from './manifest.ts';
import { writeNewFile } from './new-file.ts';
import { corrupt } from './segment/segment-file.ts';

const MAGIC = 'FOSSKWRD';
const VERSION = 1;
const MAX_NUMBER = 2 ** 32 - 1;
/** Magic, version, number, bytes and CRC-32 of the words, zero. */
const HEADER_BYTES = 64;

const count = z.number().int().positive();
const WORDS = z.record(
  z.string(),
  z.object({ documents: count, words: z.array(z.tuple([z.string().min(1), count, z.string().min(1)], z.string())) }),
);

/** Random, as the number in its name must not meet that of a file which a failed publication has left. */
export function newVocabularyNumber(): number {
  return randomInt(1, MAX_NUMBER);
}

/** Writes a vocabulary to the new file of its number; whole and synced when it resolves. */
export async function writeWords(directory: string, { number, languages }: Vocabulary): Promise<void> {
  const words = [...languages].map(([language, known]) => [
    language,
    {
      documents: known.documents,
      words: known.words.map(({ word, documents, stem, tails }) => [word, documents, stem, ...tails]),
    },
  ]);
  const payload = Buffer.from(JSON.stringify(Object.fromEntries(words)));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 0, 'latin1');
  header.writeUInt32LE(VERSION, 8);
  header.writeUInt32LE(number, 12);
  header.writeUInt32LE(payload.length, 16);
  header.writeUInt32LE(crc32(payload), 20);
  await writeNewFile(join(directory, wordsFile(number)), async (file) => {
    await file.writeFile(Buffer.concat([header, payload]));
  });
}

/** The vocabulary with this number; null = the empty one. @throws AppError `index.corrupt`, or when there is no file */
export async function readWords(directory: string, number: number | null): Promise<Vocabulary> {
  if (number === null) return EMPTY_VOCABULARY;
  const bytes = await readFile(join(directory, wordsFile(number)));
  const payload = bytes.subarray(HEADER_BYTES);
  const whole =
    bytes.length >= HEADER_BYTES &&
    bytes.toString('latin1', 0, 8) === MAGIC &&
    bytes.readUInt32LE(8) === VERSION &&
    bytes.readUInt32LE(12) === number &&
    bytes.readUInt32LE(16) === payload.length &&
    bytes.readUInt32LE(20) === crc32(payload);
  if (!whole) throw corrupt('words');
  const parsed = WORDS.safeParse(JSON.parse(payload.toString()));
  if (!parsed.success) throw corrupt('words');
  const languages = Object.entries(parsed.data).map(
    ([language, known]) =>
      [
        language,
        {
          documents: known.documents,
          words: known.words.map(([word, documents, stem, ...tails]) => ({ word, documents, stem, tails })),
        },
      ] as const,
  );
  return createVocabulary(number, new Map(languages));
}
