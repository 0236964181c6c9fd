/** Entry of a parser child: one file at a time, bytes in, text out. It never answers with an error. */

import type { FileExtraction } from '../extraction.ts';
import { fallBackToLinearTime } from '../linear-fallback.ts';
import { unreadFile, withinTextLimit } from './file-status.ts';
import type { Picture } from './ocr/recognize-picture.ts';
import { type ChildMessage, PARSER_PROTOCOL, type ParseMessage, type RecognizedMessage } from './parser-process.ts';
import { type FilePart, READERS } from './readers.ts';

fallBackToLinearTime();

async function read({ kind, reader, bytes, ...asked }: ParseMessage): Promise<FileExtraction> {
  try {
    const readFile = await READERS[kind][reader]?.();
    if (readFile === undefined) return unreadFile('unsupported', 'The format has no such reader');
    const { user, system } = process.cpuUsage();
    await send({ type: 'loaded', cpuMs: (user + system) / 1_000 });
    const report = (part: FilePart) => send({ type: 'part', part });
    return withinTextLimit(await readFile(bytes, { ...asked, report, recognize }));
  } catch {
    return unreadFile('malformed', 'The file cannot be read');
  }
}

/** One picture at a time. */
let recognizing: PromiseWithResolvers<RecognizedMessage['lines']> | undefined;

async function recognize(picture: Picture): Promise<RecognizedMessage['lines']> {
  recognizing = Promise.withResolvers();
  await send({ type: 'picture', picture });
  return recognizing.promise;
}

/** Resolves when the message is on its way: a reader that goes on before would keep it here until its end. */
function send(message: Unversioned<ChildMessage>): Promise<void> {
  return new Promise((resolve) => {
    const isSent = process.send?.({ version: PARSER_PROTOCOL, ...message }, () => resolve());
    if (isSent === undefined) resolve();
  });
}

type Unversioned<Message> = Message extends unknown ? Omit<Message, 'version'> : never;

process.on('message', (message: ParseMessage | RecognizedMessage) => {
  if (message.type === 'recognized') recognizing?.resolve(message.lines);
  else void read(message).then((result) => send({ type: 'result', result }));
});
process.on('disconnect', () => process.exit());
void send({ type: 'ready' });
