import { readText } from '../../../packages/client/src/text-stream.ts';
import type { AdminClient } from './admin-client.ts';

export type ServerEvent = { readonly event: string; readonly data: string };

type Streamed = { readonly signal: AbortSignal; readonly body?: unknown };

/** The events of a stream as they come; ends with the stream. Rejects with a `FossickError` when it is cut. */
export async function* readEvents(
  client: AdminClient,
  path: string,
  { signal, body }: Streamed,
): AsyncGenerator<ServerEvent> {
  const { pieces } = readText(await client.open(path, { signal, body, accept: 'text/event-stream' }), signal);
  let rest = '';
  for await (const piece of pieces) {
    const blocks = `${rest}${piece}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event !== undefined) yield event;
    }
  }
}

/** Undefined for what is no event: a comment keeps the connection open. */
function parseEvent(block: string): ServerEvent | undefined {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return { name: line.slice(0, Math.max(colon, 0)), value: line.slice(colon + 1).replace(/^ /, '') };
  });
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value);
  if (data.length === 0) return undefined;
  return { event: fields.find(({ name }) => name === 'event')?.value ?? 'message', data: data.join('\n') };
}
