import { Client, type Transport } from '@modelcontextprotocol/client';

export const NEWEST_REVISION = '2026-07-28';

/** The SDK's own client of the Model Context Protocol; without a revision it agrees on one of 2025. */
export async function connectAgent(transport: Transport, revision: string | undefined) {
  const mode = revision === undefined ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, sent: Record<string, unknown>, signal?: AbortSignal) => {
      const asked = { name, arguments: sent };
      const { content, structuredContent, isError = false } = await client.callTool(asked, signal && { signal });
      const [first] = content as { text: string }[];
      // biome-ignore lint/suspicious/noExplicitAny: tests look into results of any shape
      return { text: first?.text ?? '', structured: structuredContent as any, isError };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
