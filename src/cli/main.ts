import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { productVersion } from '../compose/product-files.ts';
import { readConfig } from '../config/read-config.ts';
import { operatorTokenPath, readSecretFile } from '../config/secret-file.ts';
import { storeFolderOf } from '../config/store-folder.ts';
import { AppError, type ErrorCode, toAppError } from '../core/errors.ts';
import { baseAddress, type Client, createClient } from './client.ts';
import { type Command, type Context, createPrinter, type Terminal, wrongUsage } from './command.ts';
import { alertCommands } from './commands/alert.ts';
import { askCommands } from './commands/ask.ts';
import { backupCommands } from './commands/backup.ts';
import { crawlerCommands } from './commands/crawler.ts';
import { customerCommands } from './commands/customer.ts';
import { doctorCommands } from './commands/doctor.ts';
import { documentCommands } from './commands/documents.ts';
import { dryRunCommands } from './commands/dry-runs.ts';
import { engineCommands } from './commands/engine.ts';
import { extractionCommands } from './commands/extraction.ts';
import { goldenCommands } from './commands/golden.ts';
import { historyCommands, settingsCommands } from './commands/history.ts';
import { hostCommands } from './commands/hosts.ts';
import { keyCommands } from './commands/key.ts';
import { mcpCommands } from './commands/mcp.ts';
import { modelCommands } from './commands/model.ts';
import { moveCommands } from './commands/move.ts';
import { patternCommands } from './commands/patterns.ts';
import { personCommands } from './commands/person.ts';
import { pinCommands } from './commands/pins.ts';
import { provisionCommands } from './commands/provision.ts';
import { removalCommands } from './commands/removals.ts';
import { runCommands } from './commands/run.ts';
import { searchCommands } from './commands/search.ts';
import { searchToolCommands } from './commands/search-tools.ts';
import { siteCommands } from './commands/site.ts';

import { statisticsCommands } from './commands/statistics.ts';
import { statusCommands } from './commands/status.ts';
import { synonymCommands } from './commands/synonyms.ts';
import { systemCommands } from './commands/system.ts';
import { urlCommands } from './commands/urls.ts';
import { visitorReportCommands } from './commands/visitor-reports.ts';
import { widgetCommands } from './commands/widget.ts';

export type Invocation = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly terminal?: Terminal | undefined;
  readonly input?: () => AsyncIterable<Uint8Array | string>;
  readonly interruption?: () => AbortSignal;
};
const WRONG_USAGE = 2;

/** The commands as the help shows them. */
const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Installation', commands: [...statusCommands, ...systemCommands, ...doctorCommands] },
  { title: 'Alerts', commands: alertCommands },
  { title: 'Models', commands: modelCommands },
  { title: 'Backup and restore', commands: backupCommands },
  { title: 'Move to a database and back', commands: moveCommands },
  { title: 'Provision file and configuration', commands: provisionCommands },
  { title: 'Customers and API keys', commands: [...customerCommands, ...keyCommands] },
  { title: 'Sites', commands: siteCommands },
  { title: 'People', commands: personCommands },
  { title: 'Engines', commands: [...engineCommands, ...widgetCommands] },
  { title: 'Crawlers', commands: crawlerCommands },
  { title: 'Settings and their history', commands: [...historyCommands, ...settingsCommands] },
  { title: 'What a crawler knows and would do', commands: [...urlCommands, ...dryRunCommands, ...extractionCommands] },
  { title: 'Removals and hosts', commands: [...removalCommands, ...hostCommands] },
  { title: 'URL templates and duplicates', commands: patternCommands },
  { title: 'Runs and URLs', commands: runCommands },
  { title: 'Search and documents', commands: [...searchCommands, ...askCommands, ...mcpCommands, ...documentCommands] },
  { title: 'Search tools', commands: [...pinCommands, ...searchToolCommands, ...synonymCommands] },
  { title: 'Statistics', commands: [...statisticsCommands, ...visitorReportCommands] },
  { title: 'Golden questions', commands: goldenCommands },
];

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** Lines of the help fit the narrowest usual terminal. */
const WIDTH = 80;

const GLOBAL = `In member=value the value is JSON or text, dots lead into objects
(limits.depth=5), and nothing after = brings back the default. A list of a
record grows and shrinks by member+=value and member-=value.

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

const GLOBAL_OPTIONS = {
  url: { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

const DONE = 0;
const FAILED = 1;
const NOT_FOUND = 3;
const REFUSED = 4;

const EXIT_CODES: Partial<Record<ErrorCode, number>> = {
  'request.invalid': WRONG_USAGE,
  'record.not-found': NOT_FOUND,
  'auth.invalid': REFUSED,
  'auth.forbidden': REFUSED,
  'record.conflict': REFUSED,
  'record.managed': REFUSED,
  'record.changed': REFUSED,
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
    storeFolder: async () => storeFolderOf((await readConfig({ environment, folder })).config),
    terminal: invocation.terminal,
    input: invocation.input ?? noInput,
    interruption: invocation.interruption ?? (() => new AbortController().signal),
    endBadly: () => {
      exitCode = FAILED;
    },
  };
  await command.run(context, { positionals, options: values });
  return exitCode;
}

async function* noInput(): AsyncGenerator<string> {}

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

type CommandGroup = { readonly title: string; readonly commands: readonly Command[] };

export type ConnectOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** `--url` and `--token`. */
  readonly url: string | undefined;
  readonly token: string | undefined;
};

/**
 * A client of the installation: what is not given comes from its configuration, the token last from
 * `DATA_DIR/operator-token`.
 * @throws AppError `auth.invalid` when there is no token · `request.invalid` for a wrong address or configuration
 */
async function connect({ environment, folder, url, token }: ConnectOptions): Promise<Client> {
  if (url !== undefined && token !== undefined) {
    return createClient({ url: baseAddress(url), token, whenRefused: OTHER_TOKEN });
  }
  const { config } = await readConfig({ environment, folder });
  const { HOST: host, PORT: port, ADMIN_PORT: adminPort, OPERATOR_TOKEN: configured, DATA_DIR: dataDir } = config;
  const path = operatorTokenPath(dataDir);
  const given = token ?? configured;
  const kept = given ?? (await readSecretFile(path));
  if (kept === undefined) {
    const message = `There is no operator token in ${path}: start the product with npm start, set DATA_DIR and PORT as it was started with, or give --token`;
    throw new AppError('auth.invalid', message);
  }
  const whenRefused =
    token === undefined ? otherInstallation(given === undefined ? path : 'OPERATOR_TOKEN') : OTHER_TOKEN;
  if (url !== undefined) return createClient({ url: baseAddress(url), token: kept, whenRefused });
  const base = `http://${reachable(host)}`;
  return createClient({ url: `${base}:${adminPort || port}`, publicUrl: `${base}:${port}`, token: kept, whenRefused });
}

const OTHER_TOKEN = 'give the right one with --token, or leave it out in the folder where the product was started';

/** The token is right, but for another installation than the one that answers. */
function otherInstallation(source: string): string {
  return `the token came from ${source}: set DATA_DIR and PORT as for npm start, or give --url and --token`;
}

/** An address that means "all" is reached over loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** All commands, one line each. */
function overview(groups: readonly CommandGroup[]): string {
  const sections = groups.map(({ title, commands }) => {
    const width = Math.max(...commands.map(({ name }) => name.length));
    const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
    return `${title}\n${lines.join('')}`;
  });
  return `usage: fossick <command> …\n\n${sections.join('\n')}\n"fossick help <command>" shows its usage.\n\n${GLOBAL}`;
}

function helpOf({ name, usage, summary, example, forms }: Command): string {
  const start = `usage: fossick ${name}`;
  const shown = example === undefined ? '' : `  for example: fossick ${name} ${example}\n`;
  const more = forms === undefined ? '' : `\n${forms}\n`;
  return `${wrapped(start, usage)}\n  ${summary}\n${shown}${more}`;
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
