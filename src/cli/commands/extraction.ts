import { readConfigFile } from '../../config/config-file.ts';
import { readConfig } from '../../config/read-config.ts';
import { type Command, type Input, textOption, wrongUsage } from '../command.ts';
import { showPage } from '../shown-times.ts';

export const extractionCommands: readonly Command[] = [
  {
    name: 'extract',
    usage: '<url|file> [--explain] [--settings <file>] [--profile <name>]',
    summary: 'Read a page or file as a crawler would, without a server',
    example: 'https://www.example.com/ --explain',
    words: [1, 1],
    options: { explain: { type: 'boolean' }, settings: { type: 'string' }, profile: { type: 'string' } },
    routes: [],
    run: async ({ print, environment, folder, interruption }, input) => {
      const { config } = await readConfig({ environment, folder });
      const settings = await settingsOf(input, folder);
      // Loaded for this command alone: it holds the parsers.
      const { extractOnce } = await import('../../compose/extraction.ts');
      const source = input.positionals[0] ?? '';
      const read = await extractOnce({ config, source, settings }, interruption());
      if (print.isJson) print.record(read);
      else showPage(print, read, { isExplained: input.options['explain'] === true });
    },
  },
];

/** Members of the crawler in the file, with the profile over them. */
async function settingsOf(input: Input, folder: string): Promise<Readonly<Record<string, unknown>>> {
  const named = textOption(input, 'settings');
  const content = named === undefined ? {} : (await readConfigFile(folder, named))?.content;
  if (!isMembers(content)) throw wrongUsage(`${named} must hold the settings of a crawler`);
  const profile = textOption(input, 'profile');
  if (profile === undefined) return content;
  const own = content['content'] ?? {};
  return { ...content, content: isMembers(own) ? { ...own, profile } : own };
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
