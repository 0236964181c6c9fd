import type { Command } from './command.ts';
import type { CommandGroup } from './commands.ts';

/** Lines of the help fit the narrowest usual terminal. */
const WIDTH = 80;

const GLOBAL = `In member=value the value is JSON or text, dots lead into objects
(limits.depth=5), and nothing after = brings back the default.

Options of every command:
  --url <address>  address of the product
                   (default: HOST and PORT of the configuration)
  --token <token>  operator token
                   (default: OPERATOR_TOKEN, else DATA_DIR/operator-token)
  --json           print JSON
  --help           show the usage
  --version        show the version (without a command)

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused
`;

/** All commands, one line each. */
export function overview(groups: readonly CommandGroup[]): string {
  const sections = groups.map(({ title, commands }) => {
    const width = Math.max(...commands.map(({ name }) => name.length));
    const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
    return `${title}\n${lines.join('')}`;
  });
  return `usage: fossick <command> …\n\n${sections.join('\n')}\n"fossick help <command>" shows its usage.\n\n${GLOBAL}`;
}

export function helpOf({ name, usage, summary, example }: Command): string {
  const start = `usage: fossick ${name}`;
  const shown = example === undefined ? '' : `  for example: fossick ${name} ${example}\n`;
  return `${wrapped(start, usage)}\n  ${summary}\n${shown}`;
}

/** The usage behind its start; further lines begin below its first word, what is in brackets stays together. */
function wrapped(start: string, usage: string): string {
  const lines = [start];
  for (const part of usage.match(/\[[^\]]*\]|<[^>]*>|\S+/g) ?? []) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`${' '.repeat(start.length)} ${part}`);
  }
  return lines.join('\n');
}
