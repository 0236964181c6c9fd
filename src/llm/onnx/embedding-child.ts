/** Entry of a process that embeds texts, one at a time, until its parent goes; its argument: `EncoderFiles` as JSON. */

import { firstLine } from '../import-package.ts';
import type { ChildMessage, ParentMessage } from './embedding-process.ts';
import { type EncoderFiles, loadEncoder } from './encoder.ts';

process.once('disconnect', () => process.exit());
const say = (message: ChildMessage) => process.send?.(message);

const files = JSON.parse(process.argv[2] ?? '') as EncoderFiles;
try {
  const { dimensions, encode } = await loadEncoder(files);
  process.on('message', ({ text }: ParentMessage) =>
    encode(text).then(
      (vector) => say({ type: 'vector', vector }),
      () => say({ type: 'refused' }),
    ),
  );
  say({ type: 'ready', dimensions });
} catch (error) {
  say({ type: 'failed', problem: firstLine(error) });
}
