import { baseAddress, siteKeyOf } from '../client.ts';
import { type Command, type Context, type Input, idWord, textOption, wrongUsage } from '../command.ts';
import { runBridge } from '../mcp-bridge.ts';

/** Where the tools are, and the key that says whose documents they read. */
async function targetOf({ client }: Context, input: Input) {
  const key = textOption(input, 'key');
  if (key === undefined) {
    if (input.positionals.length === 0) throw wrongUsage('Name an engine, or an address and a key: --url and --key');
    const id = idWord(input, 0, 'engine');
    const api = await client();
    const { customer } = await api.admin('GET', `/engines/${id}`);
    return { url: api.publicUrl, authorization: siteKeyOf(customer, id) };
  }
  const url = textOption(input, 'url');
  if (url === undefined) throw wrongUsage('--key needs --url, the address of the product');
  if (input.positionals.length > 0) throw wrongUsage('--key names the engine already: leave the number out');
  return { url: baseAddress(url), authorization: `SiteKey ${key}` };
}

export const mcpCommands: readonly Command[] = [
  {
    name: 'mcp',
    usage: '[engine] [--key <site key>]',
    summary: 'Give an agent the tools of an engine, over stdio',
    example: '6',
    words: [0, 1],
    options: { key: { type: 'string' } },
    routes: ['GET /engines/:engineId'],
    run: async (context, input) => {
      const { url, authorization } = await targetOf(context, input);
      await runBridge({
        url: `${url}/mcp`,
        authorization,
        input: context.input(),
        write: (line) => context.print.raw(`${line}\n`),
        warn: context.print.warn,
      });
    },
  },
];
