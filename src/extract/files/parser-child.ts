/** Entry of a parser child: one file at a time, bytes in, text out. It never answers with an error. */
import type { FileExtraction, FileKind } from '../extraction.ts';
import { unreadFile, withinTextLimit } from './file-status.ts';
import { PARSER_PROTOCOL, type ParseMessage } from './parser-messages.ts';
import { readPdf } from './pdf.ts';
import { readWord } from './word.ts';

const READERS: Readonly<Record<FileKind, (bytes: Uint8Array) => Promise<FileExtraction>>> = {
  pdf: readPdf,
  docx: readWord,
};

async function read({ kind, bytes }: ParseMessage): Promise<FileExtraction> {
  try {
    return withinTextLimit(await READERS[kind](bytes));
  } catch {
    return unreadFile('malformed', 'The file cannot be read');
  }
}

process.on('message', (message: ParseMessage) => {
  void read(message).then((result) => process.send?.({ version: PARSER_PROTOCOL, type: 'result', result }));
});
process.on('disconnect', () => process.exit());
process.send?.({ version: PARSER_PROTOCOL, type: 'ready' });
