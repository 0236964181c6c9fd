import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/main.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const BIN = join(import.meta.dirname, '../../../bin/fossick.js');

async function spawnFossick(args: readonly string[], environment: Record<string, string>, folder: string) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env: { PATH: '', ...environment } });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
}

test('the command finds the address in the environment and the token in the data folder', async () => {
  await using api = await startAdminApi();
  await writeFile(join(api.dataDir, 'operator-token'), `${OPERATOR_TOKEN}\n`);
  const environment = { PORT: new URL(api.origin).port, DATA_DIR: api.dataDir };

  expect(await spawnFossick(['customer', 'add', 'Three', '--json'], environment, api.dataDir)).toMatchObject({
    code: 0,
    out: expect.stringContaining('"name": "Three"'),
    err: '',
  });
  expect(await spawnFossick(['customer', 'show', '99'], environment, api.dataDir)).toEqual({
    code: 3,
    out: '',
    err: 'fossick: There is no customer 99\n',
  });
});

/** No system gives a number so large to a process. */
const NOBODY = 2 ** 30;

test('ps lists what runs of what the supervisor wrote, without a server', async () => {
  await using folder = await temporaryFolder();
  const rows = [
    { role: 'supervisor', pid: process.ppid },
    { role: 'api', pid: process.pid },
  ];
  const ended = { role: 'crawl-1', pid: NOBODY };
  await writeFile(join(folder.path, 'processes.json'), JSON.stringify([...rows, ended]));

  const { code, out } = await runCli(['ps', '--json'], { environment: { DATA_DIR: folder.path } });

  expect({ code, rows: JSON.parse(out) }).toEqual({ code: 0, rows });
});

test.each([
  ['nothing was started', undefined],
  ['a supervisor was killed', [{ role: 'supervisor', pid: NOBODY }]],
])('ps says what to do when %s', async (_name, rows) => {
  await using folder = await temporaryFolder();
  if (rows !== undefined) await writeFile(join(folder.path, 'processes.json'), JSON.stringify(rows));

  expect(await runCli(['ps'], { environment: { DATA_DIR: folder.path } })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^fossick: Nothing runs here .*: start the product with npm start, or set DATA_DIR\n$/),
  });
});

test.each<[args: string[], message: RegExp]>([
  [['nonsense'], /There is no command "nonsense": "fossick help" lists them/],
  [['customer'], /fossick customer needs one of: list, show, add, set, remove/],
  [['customer', 'shout'], /fossick customer needs one of/],
  [['crawler', 'twins', '17'], /fossick crawler twins is called fossick crawler duplicates now/],
  [['customer', 'show'], /usage: fossick customer show <customer>/],
  [['customer', 'show', '3', '4'], /usage: fossick customer show <customer>/],
  [['customer', 'show', 'three'], /"three" is no id of a customer: use the number that "fossick customer list" shows/],
  [
    ['crawler', 'open-pattern', '3', 'x'],
    /"x" is no id of a pattern: use the number that "fossick crawler patterns" shows/,
  ],
  [['documents', 'get', '3', 'x'], /"x" is no id of a document: use the number that "fossick documents list" shows/],
  [['golden', 'remove', '3', 'x'], /"x" is no id of a question: use the number that "fossick golden list" shows/],
  [['search', '3', 'a', '--count', '0'], /--count must be a whole number from 1/],
  [['customer', 'list', '--colour'], /Unknown option '--colour'.*"fossick help customer list" shows all/],
  [['customer', 'add', 'A', '--id', 'x'], /--id must be a whole number/],
  [['engine', 'remove', '6'], /say it again with --yes/],
  [['customer', 'list', '--url', 'here', '--token', 'x'], /--url must be an address such as/],
  [['documents', 'put', '17', 'no-file.json', '--key', 'k'], /no-file.json cannot be read as JSON/],
  [['documents', 'put', '17', 'no-file.json'], /--key is missing/],
  [['plan'], /There is no fossick.config.ts, .yaml or .json here/],
])('%j is wrong usage', async (args, message) => {
  expect(await runCli(args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) });
});

test('the version is told', async () => {
  expect(await runCli(['--version'])).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
});

test('a refused token, a missing one and a silent address say what to do', async () => {
  await using api = await startAdminApi();
  await using empty = await temporaryFolder();
  const list = ['customer', 'list', '--url', api.origin];

  expect(await runCli([...list, '--token', 'wrong'])).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      /^fossick: The token is wrong: .*\nNext: give the right one with --token, or leave it out in the folder .*\n$/,
    ),
  });
  await using other = await temporaryFolder();
  await writeFile(join(other.path, 'operator-token'), 'token-of-another-installation\n');
  expect(await runCli(list, { folder: other.path, environment: { DATA_DIR: other.path } })).toMatchObject({
    code: 4,
    err: expect.stringMatching(/\nNext: the token came from .*operator-token: set DATA_DIR and PORT as for npm start/),
  });
  expect(await runCli(list, { folder: empty.path, environment: { DATA_DIR: empty.path } })).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      /There is no operator token in .*: start the product with npm start, set DATA_DIR and PORT as it was started with, or give --token/,
    ),
  });
  await api[Symbol.asyncDispose]();
  expect(await runCli([...list, '--token', OPERATOR_TOKEN])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /Nobody answers at .*: start the product with npm start, or name its address with --url/,
    ),
  });
});

test('options may stand before the command', async () => {
  await using api = await startAdminApi();

  expect(await runCli(['--url', api.origin, '--json', '--token', OPERATOR_TOKEN, 'customer', 'list'])).toEqual({
    code: 0,
    out: '[]\n',
    err: '',
  });
});

test('a wrong configuration is told with all its faults', async () => {
  expect(await runCli(['customer', 'list'], { environment: { PORT: 'x', REGION: 'mars' } })).toMatchObject({
    code: 2,
    err: 'fossick: PORT: must be a whole number from 0 to 65535, not "x"\nfossick: REGION: must be one of any, eu, us, not "mars"\n',
  });
});

test('the help names every command, and each has its own', async () => {
  const { code, out } = await runCli(['help']);
  expect(code).toBe(0);
  expect(await runCli(['--help'])).toEqual({ code, out, err: '' });
  expect(await runCli([])).toEqual({ code: 2, out: '', err: out });

  for (const { name, summary } of COMMANDS) {
    expect(out).toContain(summary);
    expect((await runCli([...name.split(' '), '--help'])).out).toContain(`usage: fossick ${name}`);
    expect((await runCli(['help', ...name.split(' ')])).out).toContain(`usage: fossick ${name}`);
  }
});

test.each(['crawler set', 'crawler schedule'])('the help of %s has the forms of a schedule', async (name) => {
  const { out } = await runCli(['help', ...name.split(' ')]);

  expect(out).toMatch(/hourly, daily, weekly, every 6h .*manual:\n.*schedule\.full=daily\n.*30 2 \* \* 6/s);
});

test('no line of the help is wider than 80 columns, and the usage names every option', async () => {
  const pages = [(await runCli(['help'])).out];
  for (const { name, options = {} } of COMMANDS) {
    const { out } = await runCli(['help', ...name.split(' ')]);
    for (const option of Object.keys(options)) expect(out).toContain(`--${option}`);
    pages.push(out);
  }

  expect(pages.flatMap((page) => page.split('\n')).filter((line) => line.length > 80)).toEqual([]);
});

test('a reader that goes away early ends the command without a word', async () => {
  const child = spawn(process.execPath, [BIN, '--help'], { env: { PATH: '' } });
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);

  expect({ code, err }).toEqual({ code: 0, err: '' });
});
