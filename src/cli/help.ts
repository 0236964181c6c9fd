import type { Command } from './command.ts';

const GLOBAL = `member=value: the value is JSON or text; dots lead into objects (limits.depth=5); member= brings back the default.

Options of every command:
  --url <address>   address of the product (default: HOST and PORT of the configuration)
  --token <token>   operator token (default: OPERATOR_TOKEN, else DATA_DIR/operator-token)
  --json            print JSON
  --help            show the usage

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused
`;

/** All commands, one line each. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `usage: fossick <command> …\n\n${lines.join('\n')}\n\n"fossick help <command>" shows its usage.\n\n${GLOBAL}`;
}

export function helpOf({ name, usage, summary, options = {} }: Command): string {
  const own = Object.entries(options).map(([option, { type }]) => `--${option}${type === 'string' ? ' <value>' : ''}`);
  const listed = own.length === 0 ? '' : `  options: ${own.join(', ')}\n`;
  return `usage: fossick ${`${name} ${usage}`.trimEnd()}\n  ${summary}\n${listed}`;
}
