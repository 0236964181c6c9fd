import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/main.ts';
import { banner } from '../../workers/banner.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...globSync('docs/**/*.md', { cwd: ROOT }).sort(),
];
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const LINKS = [/\]\((?<target>[^)\s]+)\)/g, /(?:src|href)="(?<target>[^"]+)"/g];
const FENCE = /```[\s\S]*?```/g;
const CODE = /```[a-z]*\n(?<block>[\s\S]*?)```|`(?<span>[^`\n]+)`/g;
/** Paths of this repository as they are written, up to a blank, a closing mark or a placeholder. */
const PATHS = /(?<![\w./-])(?:src|workers|scripts|test|docs|web|bin)\/[\w./*@-]*(?<rest>[<{…|]?)/g;
/** Made by the set-up, not part of a checkout. */
const BUILT = ['web/dist'];

const REGISTRIES =
  /registry\.(?:npmjs|yarnpkg|hub)|npmjs\.(?:com|org)|unpkg\.com|jsdelivr|\bghcr\.io|\bquay\.io|\bgcr\.io/i;
const MACHINE_PATHS = /(?<![\w.:/}>-])(?:\/(?:home|root|Users|work|tmp|var|usr|opt|etc|mnt|srv)\/\w|[A-Z]:\\\w)/;

const matches = (text: string, pattern: RegExp, name: string) =>
  [...text.matchAll(pattern)].flatMap(({ groups }) => groups?.[name] ?? []);

/** Lines of code: spans and blocks. */
const codeOf = (text: string) =>
  [...text.matchAll(CODE)].flatMap(({ groups }) => (groups?.['block'] ?? groups?.['span'] ?? '').split('\n'));

function missingLinks(path: string): string[] {
  const prose = read(path).replace(FENCE, '');
  const targets = LINKS.flatMap((pattern) => matches(prose, pattern, 'target'));
  const relative = targets.filter((target) => !/^(?:[a-z]+:|#)/i.test(target));
  return relative.filter((target) => !existsSync(join(ROOT, dirname(path), target.replace(/#.*/, ''))));
}

function missingScripts(text: string): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...text.matchAll(/\bnpm (?:run (?<script>[\w:-]+)|(?<short>start|test)\b)/g)];
  return named.map(({ groups }) => groups?.['script'] ?? groups?.['short'] ?? '').filter((name) => !(name in scripts));
}

function missingPaths(text: string): string[] {
  const written = [...text.matchAll(PATHS)].filter(({ groups }) => groups?.['rest'] === '').map(([path]) => path);
  return written
    .map((path) => path.replace(/[./]+$/, ''))
    .filter((path) => !BUILT.includes(path))
    .filter((path) => globSync(path, { cwd: ROOT }).length === 0);
}

const GLOBAL_OPTIONS = ['url', 'token', 'json', 'help'];

/** What is wrong with the commands of a text: names and options that there are not. */
function wrongCommands(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => [...line.matchAll(/npx fossick (?<words>[a-z][^)]*)/g)])
    .filter(({ groups }) => {
      const words = (groups?.['words'] ?? '').split(/\s+/);
      if (words[0] === 'help') return false;
      const command = COMMANDS.find(({ name }) => [words[0], `${words[0]} ${words[1]}`].includes(name));
      const known = [...GLOBAL_OPTIONS, ...Object.keys(command?.options ?? {})];
      const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=', 1)[0] ?? '');
      return command === undefined || options.some((option) => !known.includes(option));
    })
    .map(([text]) => text);
}

describe.each(DOCUMENTS)('%s', (path) => {
  test('links and pictures lead somewhere', () => {
    expect(missingLinks(path)).toEqual([]);
  });

  test('scripts, files and commands that it names exist', () => {
    const text = read(path);

    expect({
      scripts: missingScripts(text),
      paths: codeOf(text).flatMap(missingPaths),
      commands: wrongCommands(codeOf(text)),
    }).toEqual({ scripts: [], paths: [], commands: [] });
  });

  test('it names no package registry and no path of a machine', () => {
    const lines = read(path).split('\n');

    expect(lines.filter((line) => REGISTRIES.test(line) || MACHINE_PATHS.test(line))).toEqual([]);
  });
});

test('every document of the repository is looked at', () => {
  const found = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });

  expect([...DOCUMENTS].sort()).toEqual(found.sort());
  expect(found.length).toBeGreaterThan(25);
});

test('the checks find what is wrong', () => {
  const commands = ['npx fossick customer add --name x', 'npx fossick crawler halt 1', 'npx fossick ps'];

  expect(missingScripts('npm run check, npm run nonsense, npm start')).toEqual(['nonsense']);
  expect(missingPaths('src/core/errors.ts src/nowhere.ts docs/decisions/ test/<tier> src/storage/*-store.ts')).toEqual([
    'src/nowhere.ts',
  ]);
  expect(wrongCommands(commands)).toEqual(commands.slice(0, 2));
  expect('see /home/me/x').toMatch(MACHINE_PATHS);
  expect('https://www.example.com/home/me and data/tmp/x').not.toMatch(MACHINE_PATHS);
});

const ENGINE = { id: 1, customerId: 1, name: 'Site' };
const CRAWLER = { id: 2, engineId: 1 };

test.each([
  ['with an engine', { engine: ENGINE, crawler: CRAWLER, seed: 'http://127.0.0.1:1/', apiKey: 'key' }],
  ['without an engine', undefined],
])('the commands that a start prints exist: %s', (_case, beginning) => {
  const input = { address: 'http://127.0.0.1:1', dataDir: 'data', beginning, environment: {}, isTerminal: true };
  const lines = banner(input as Parameters<typeof banner>[0]).split('\n');

  expect(lines.filter((line) => line.includes('npx fossick')).length).toBeGreaterThan(1);
  expect(wrongCommands(lines)).toEqual([]);
});

test.each([
  [{}, 'npx fossick ps'],
  [{ HOME: 'elsewhere', PORT: '', DATA_DIR: 'data/of shop' }, "DATA_DIR='data/of shop' npx fossick ps"],
  [{ PORT: '81', CONFIG_FILE: 'a.yaml', HOST: '::1' }, 'CONFIG_FILE=a.yaml HOST=::1 PORT=81 npx fossick ps'],
])('in a start with %j the commands find it from another terminal', (environment, command) => {
  const place = { address: 'http://127.0.0.1:1', dataDir: 'data', firstLink: undefined, isTerminal: true };
  const shown = banner({ ...place, beginning: undefined, environment });

  expect(shown).toContain(`  ${command}   (`);
});

test('a start shows secrets at a terminal only', () => {
  const beginning = { engine: ENGINE, crawler: CRAWLER, seed: 'http://127.0.0.1:1/', apiKey: 'key-of-the-demo' };
  const input = { address: 'http://127.0.0.1:1', dataDir: 'data', beginning, environment: {} };
  const firstLink = 'http://127.0.0.1:1/admin/invitation#secret-of-the-link';
  const shown = (isTerminal: boolean) => banner({ ...input, firstLink, isTerminal } as Parameters<typeof banner>[0]);

  expect(shown(true)).toContain(firstLink);
  expect(shown(false)).not.toContain('secret-of-the-link');
  expect(shown(false)).toContain('in data/first-operator-link');
  expect(shown(true)).toContain('key-of-the-demo');
  expect(shown(false)).not.toContain('key-of-the-demo');
  expect(shown(false)).toContain('API key         in data/demo-api-key');
});

test('a start names no file of a token that the environment gave', () => {
  const place = { address: 'http://127.0.0.1:1', dataDir: 'data', isTerminal: true };
  const input = { ...place, beginning: undefined, firstLink: undefined };

  expect(banner({ ...input, environment: {} })).toContain('data/operator-token');
  expect(banner({ ...input, environment: { OPERATOR_TOKEN: 'given by the operator' } })).not.toMatch(
    /operator-token|given by/,
  );
});

test('program, client and changelog have one version, and there are notes about upgrading to it', () => {
  const versionOf = (path: string) => (JSON.parse(read(path)) as { version: string }).version;
  const [, newest] = /^## (\d\S*)/m.exec(read('CHANGELOG.md')) ?? [];

  expect(newest).toBe(versionOf('package.json'));
  expect(versionOf('packages/client/package.json')).toBe(newest);
  expect(read('docs/upgrading.md')).toMatch(new RegExp(`^## From \\S+ to ${newest?.replaceAll('.', '\\.')}$`, 'm'));
});
