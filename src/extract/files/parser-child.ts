/** Entry of a parser child: one file at a time, bytes in, text out. It never answers with an error. */

import type { FileExtraction } from '../extraction.ts';
import { fallBackToLinearTime } from '../linear-fallback.ts';
import { unreadFile, withinTextLimit } from './file-status.ts';
import { PARSER_PROTOCOL, type ParseMessage } from './parser-process.ts';
import { READERS } from './readers.ts';

fallBackToLinearTime();

async function read({ kind, reader, bytes }: ParseMessage): Promise<FileExtraction> {
  try {
    const readFile = await READERS[kind][reader]?.();
    if (readFile === undefined) return unreadFile('unsupported', 'The format has no such reader');
    process.send?.({ version: PARSER_PROTOCOL, type: 'loaded' });
    return withinTextLimit(await readFile(bytes));
  } catch {
    return unreadFile('malformed', 'The file cannot be read');
  }
}

process.on('message', (message: ParseMessage) => {
  void read(message).then((result) => process.send?.({ version: PARSER_PROTOCOL, type: 'result', result }));
});
process.on('disconnect', () => process.exit());
process.send?.({ version: PARSER_PROTOCOL, type: 'ready' });
