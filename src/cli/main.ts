import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { productVersion } from '../compose/product-files.ts';
import { readConfig } from '../config/read-config.ts';
import { AppError, type ErrorCode, toAppError } from '../core/errors.ts';
import { type Command, type Context, type Terminal, wrongUsage } from './command.ts';
import { COMMAND_GROUPS, COMMANDS } from './commands.ts';
import { connect } from './connect.ts';
import { helpOf, overview } from './help.ts';
import { createPrinter } from './print.ts';

export type Invocation = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly terminal?: Terminal | undefined;
  readonly interruption?: () => AbortSignal;
};

const GLOBAL_OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
const NOT_FOUND = 3;
const REFUSED = 4;

const EXIT_CODES: Partial<Record<ErrorCode, number>> = {
  'request.invalid': WRONG_USAGE,
  'record.not-found': NOT_FOUND,
  'auth.invalid': REFUSED,
  'auth.forbidden': REFUSED,
  'record.conflict': REFUSED,
  'record.managed': REFUSED,
  'rate.exceeded': REFUSED,
};

/** Runs one command; resolves with the exit code: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused. */
export async function main(invocation: Invocation): Promise<number> {
  const args = optionsLast(invocation.args);
  const [first = '', ...more] = args;
  if (first === '--version') return tellVersion(invocation);
  if (first === '' || first.startsWith('-') || first === 'help') return help(invocation, args, more);
  try {
    return await runCommand(invocation, findCommand(args));
  } catch (error) {
    return report(error, invocation.err);
  }
}

/** Options may stand before the command, too. */
function optionsLast(args: readonly string[]): readonly string[] {
  let start = 0;
  while (args[start]?.startsWith('-')) start += ['--url', '--token'].includes(args[start] ?? '') ? 2 : 1;
  return [...args.slice(start), ...args.slice(0, start)];
}

function tellVersion({ out }: Invocation): number {
  out(`${productVersion()}\n`);
  return 0;
}

function help({ out, err }: Invocation, args: readonly string[], words: readonly string[]): number {
  const isAsked = ['help', '--help', '-h'].some((word) => args.includes(word));
  const prefix = words.filter((word) => !word.startsWith('-')).join(' ');
  const named = COMMANDS.filter(({ name }) => prefix !== '' && `${name} `.startsWith(`${prefix} `));
  (isAsked ? out : err)(named.length > 0 ? named.map(helpOf).join('\n') : overview(COMMAND_GROUPS));
  return isAsked ? 0 : WRONG_USAGE;
}

/** Commands that had another name, which scripts may still use. */
const RENAMED: ReadonlyMap<string, string> = new Map([['crawler twins', 'crawler duplicates']]);

type FoundCommand = { readonly command: Command; readonly rest: readonly string[] };

/** The command that the first words name, and what follows it. @throws AppError `request.invalid` */
function findCommand(args: readonly string[]): FoundCommand {
  const [first = '', second = ''] = args;
  const two = COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (two !== undefined) return { command: two, rest: args.slice(2) };
  const one = COMMANDS.find(({ name }) => name === first);
  if (one !== undefined) return { command: one, rest: args.slice(1) };
  const present = RENAMED.get(`${first} ${second}`);
  if (present !== undefined) throw wrongUsage(`fossick ${first} ${second} is called fossick ${present} now`);
  const verbs = COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]);
  if (verbs.length > 0) throw wrongUsage(`fossick ${first} needs one of: ${verbs.join(', ')}`);
  throw wrongUsage(`There is no command ${JSON.stringify(first)}: "fossick help" lists them`);
}

async function runCommand(invocation: Invocation, { command, rest }: FoundCommand): Promise<number> {
  const { environment, folder, out, err } = invocation;
  const { values, positionals } = parse(command, rest);
  if (values['help'] === true) {
    out(helpOf(command));
    return DONE;
  }
  let exitCode = DONE;
  const [least, most] = command.words;
  if (positionals.length < least || positionals.length > most) {
    throw wrongUsage(`usage: fossick ${command.name} ${command.usage}`.trimEnd());
  }
  const [url, token] = [textOf(values['url']), textOf(values['token'])];
  const context: Context = {
    print: createPrinter(out, err, { isJson: values['json'] === true }),
    client: () => connect({ environment, folder, url, token }),
    environment,
    folder,
    dataDir: async () => (await readConfig({ environment, folder })).config.DATA_DIR,
    terminal: invocation.terminal,
    interruption: invocation.interruption ?? (() => new AbortController().signal),
    endBadly: () => {
      exitCode = FAILED;
    },
  };
  await command.run(context, { positionals, options: values });
  return exitCode;
}

function parse(command: Command, args: readonly string[]) {
  try {
    const options = { ...GLOBAL_OPTIONS, ...command.options };
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new AppError('request.invalid', `${message} ("fossick help ${command.name}" shows all)`, { cause: error });
  }
}

function report(cause: unknown, err: Invocation['err']): number {
  const error = toAppError(cause);
  const { problems = [] } = error.options;
  const isBug = error.code === 'internal' && error.options.cause === cause;
  const message = isBug && cause instanceof Error ? cause.message : error.message;
  const told = problems.length > 0 ? problems.map(({ path, message }) => placed(path, message)) : [message];
  for (const line of told) err(`fossick: ${line}\n`);
  return EXIT_CODES[error.code] ?? FAILED;
}

/** Messages of the admin API name their member already. */
function placed(path: string, message: string): string {
  return path === '' || message.startsWith(path) ? message : `${path}: ${message}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
