import type { Beginning } from '../src/compose/installation.ts';
import { shellWord } from '../src/config/shell-word.ts';

/** By which commands find the installation; a provision file tells them the same as the start. */
const PLACES = ['CONFIG_FILE', 'DATA_DIR', 'HOST', 'PORT'] as const;

/** The last lines of a start: where to look, what to try, which keys open it. */
export function banner(input: {
  readonly address: string;
  readonly beginning: Beginning['start'];
  /** Undefined when there is an operator. */
  readonly firstLink: string | undefined;
  readonly dataDir: string;
  /** What the start found in its environment: another terminal has nothing of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether somebody reads it at a terminal: elsewhere, as in the log of a service, it names the files of secrets. */
  readonly isTerminal: boolean;
  /** Sentences about what does not work yet, with what to do. */
  readonly warnings?: readonly string[];
}): string {
  const { address, beginning, firstLink, dataDir, environment, isTerminal, warnings = [] } = input;
  const command = [...PLACES.flatMap((name) => assignment(name, environment[name])), 'npx fossick'].join(' ');
  const lines = ['', `Fossick runs at ${address}`, ''];
  if (beginning === undefined) lines.push(...emptyLines(command));
  else lines.push(...searchLines({ address, beginning, command, dataDir, isTerminal }));
  if (firstLink !== undefined) {
    const shown = isTerminal ? firstLink : `in ${dataDir}/first-operator-link`;
    if (lines.at(-1) !== '') lines.push('');
    lines.push('Sign in as the first operator (opens once, within three days):', `  ${shown}`, '');
  }
  const isTokenGiven = [environment['OPERATOR_TOKEN'], environment['OPERATOR_TOKEN_FILE']].some((value) => value);
  lines.push(
    `  Operator token  ${isTokenGiven ? 'the one of OPERATOR_TOKEN' : `${dataDir}/operator-token   (read by npx fossick)`}`,
    `  What runs       ${command} ps   (all commands: npx fossick --help)`,
    '  Stop            Ctrl-C',
    '',
  );
  for (const warning of warnings) lines.push(`  Warning         ${warning}`, '');
  return `${lines.join('\n')}\n`;
}

/** Nothing for an empty value, which counts as unset. */
function assignment(name: string, value = ''): readonly string[] {
  if (value.trim() === '') return [];
  return [`${name}=${shellWord(value)}`];
}

function emptyLines(command: string): readonly string[] {
  return [
    'There is no engine yet. Describe one in fossick.config.yaml (see fossick.config.example.yaml), or begin with:',
    `  ${command} customer add "My company"`,
    '',
  ];
}

function searchLines(input: {
  readonly address: string;
  readonly beginning: NonNullable<Beginning['start']>;
  readonly command: string;
  readonly dataDir: string;
  readonly isTerminal: boolean;
}): readonly string[] {
  const { address, command, dataDir, isTerminal } = input;
  const { engine, pagePath, crawler, apiKey, seed } = input.beginning;
  const page = pagePath === undefined ? `${command} engine set ${engine.id} page.published=true` : address + pagePath;
  const path = `${address}/api/v4/${engine.customerId}/${engine.id}/search`;
  const siteKey = Buffer.from(`${engine.customerId}:${engine.id}:SearchKey`).toString('base64');
  const authorization = `-H 'Authorization: SiteKey ${siteKey}'`;
  return [
    `  Search page     ${page}`,
    ...(seed === undefined ? [] : [`  Crawling        ${seed}   (how far: ${command} run list ${crawler?.id ?? ''})`]),
    '',
    'Search through the API:',
    `  curl -s ${path} ${authorization} -H 'Content-Type: application/json' -d '{"query":"*"}'`,
    '',
    `  SiteKey         ${siteKey}   (public, for browsers)`,
    ...(apiKey === undefined
      ? []
      : [
          `  API key         ${isTerminal ? apiKey : `in ${dataDir}/demo-api-key`}   (secret, for servers: Basic and the base64 of ${engine.customerId}:<key>)`,
        ]),
  ];
}
