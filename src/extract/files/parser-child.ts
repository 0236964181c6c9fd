/** Entry of a parser child: one file at a time, bytes in, text out. It never answers with an error. */

import type { FileExtraction } from '../extraction.ts';
import { fallBackToLinearTime } from '../linear-fallback.ts';
import { unreadFile, withinTextLimit } from './file-status.ts';
import { type ChildMessage, PARSER_PROTOCOL, type ParseMessage } from './parser-process.ts';
import { READERS } from './readers.ts';

fallBackToLinearTime();

async function read({ kind, reader, bytes, pagesBefore }: ParseMessage): Promise<FileExtraction> {
  try {
    const readFile = await READERS[kind][reader]?.();
    if (readFile === undefined) return unreadFile('unsupported', 'The format has no such reader');
    const { user, system } = process.cpuUsage();
    await send({ type: 'loaded', cpuMs: (user + system) / 1_000 });
    return withinTextLimit(await readFile(bytes, { pagesBefore, report: (part) => send({ type: 'part', part }) }));
  } catch {
    return unreadFile('malformed', 'The file cannot be read');
  }
}

/** Resolves when the message is on its way: a reader that goes on before would keep it here until its end. */
function send(message: Unversioned<ChildMessage>): Promise<void> {
  return new Promise((resolve) => {
    const isSent = process.send?.({ version: PARSER_PROTOCOL, ...message }, () => resolve());
    if (isSent === undefined) resolve();
  });
}

type Unversioned<Message> = Message extends unknown ? Omit<Message, 'version'> : never;

process.on('message', (message: ParseMessage) => {
  void read(message).then((result) => send({ type: 'result', result }));
});
process.on('disconnect', () => process.exit());
void send({ type: 'ready' });
