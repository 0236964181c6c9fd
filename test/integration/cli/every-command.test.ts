import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/main.ts';
import { OPERATOR_TOKEN } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { startCrawledApi } from '../../helpers/crawled-api.ts';
import { eventually } from '../../helpers/eventually.ts';

let api: Awaited<ReturnType<typeof startCrawledApi>>;

beforeAll(async () => {
  api = await startCrawledApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const cli = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

/** Work on files and processes of this machine, or speak another protocol; `crawler urls` gives CSV only with `--csv`. */
const ELSEWHERE = [
  'apply',
  'backup',
  'doctor',
  'extract',
  'mcp',
  'model add',
  'move',
  'plan',
  'ps',
  'restore',
  'verify',
];
const WORDS: Readonly<Record<string, string>> = {
  '<crawler>': '17',
  '<engine>': '6',
  '<customer>': '3',
  '<member=value…>': 'name=Other',
  '<url>': 'https://a.test/x',
  '<url…>': 'https://a.test/x',
  '<name>': 'New',
};

/** The words that a usage asks for; whatever has no word of its own is `1`. */
function wordsOf(usage: string): readonly string[] {
  const required = usage.replaceAll(/\[[^\]]*\]/g, '').trim();
  return required === '' ? [] : required.split(/\s+/).map((word) => WORDS[word] ?? '1');
}

describe('with --json', () => {
  test.each(COMMANDS.filter(({ name }) => !ELSEWHERE.includes(name)).map(({ name, usage }) => [name, usage]))(
    '%s prints nothing but JSON',
    async (name, usage) => {
      const { out } = await cli(...name.split(' '), ...wordsOf(usage), '--json');

      const texts = isJson(out) ? [] : out.split('\n').filter((line) => line !== '');
      expect(texts.filter((line) => !isJson(line))).toEqual([]);
    },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const HOP_BY_HOP = ['connection', 'content-length', 'host', 'transfer-encoding'];

describe('a list that is set', () => {
  const exclude = async () => (await api.get('/crawlers/17')).body.exclude;

  test('grows and shrinks by one value', async () => {
    await cli('crawler', 'set', '17', 'exclude=["/a/**"]');

    await cli('crawler', 'set', '17', 'exclude+=/b/**', 'exclude+=/c/**');
    expect(await exclude()).toEqual(['/a/**', '/b/**', '/c/**']);
    await cli('crawler', 'set', '17', 'exclude+=/b/**', 'exclude-=/a/**');
    expect(await exclude()).toEqual(['/b/**', '/c/**']);
    expect((await cli('crawler', 'preview', '17', 'exclude+=/d/**')).out).toContain("'exclude+=/d/**'");
    await cli('engine', 'set', '6', 'corsOrigins+=https://www.example.com');
    expect((await api.get('/engines/6')).body.corsOrigins).toContain('https://www.example.com');
  });

  test.each([
    ['exclude-=/none', /exclude does not hold "\/none": it is \["\/b\/\*\*","\/c\/\*\*"\]/],
    ['limits+=5', /limits is no list/],
  ])('by %s is wrong usage where it cannot be', async (change, message) => {
    expect(await cli('crawler', 'set', '17', change)).toMatchObject({ code: 2, err: expect.stringMatching(message) });
  });

  test('keeps what somebody else added in the meantime, and says so', async () => {
    await using busy = await startBusy(() => cli('crawler', 'set', '17', 'exclude=["/theirs/**"]'));

    const refused = await busy.run('crawler', 'set', '17', 'exclude+=/mine/**');

    expect(refused).toMatchObject({ code: 4, err: expect.stringContaining('Somebody else changed this') });
    expect(await exclude()).toEqual(['/theirs/**']);
  });

  /** The product, where somebody does something between a look at a record and the next request. */
  async function startBusy(meanwhile: () => Promise<unknown>) {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      const { method = 'GET', url = '', headers } = request;
      const sent = new Headers(
        Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)) as [string, string][],
      );
      const answer = await fetch(`${api.origin}${url}`, { method, headers: sent, ...(body !== '' && { body }) });
      const text = await answer.text();
      if (method === 'GET') await meanwhile();
      response.writeHead(answer.status, { etag: answer.headers.get('etag') ?? '' }).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = (...args: string[]) =>
      runCli([...args, '--url', `http://127.0.0.1:${port}`, '--token', OPERATOR_TOKEN]);
    return { run, [Symbol.asyncDispose]: async () => void server.close() };
  }
});

describe('a record of a provision file', () => {
  test('is released as it is, and changed by hand from then on', async () => {
    const [crawler] = await api.deps.store.listCrawlers();
    if (crawler === undefined) throw new Error('No crawler');
    const { id, engineId, name, config } = crawler;
    await api.deps.store.changeRecords(
      'provision:a.yaml',
      [{ kind: 'put-crawler', id, engineId, name, config, managedBy: 'a.yaml' }],
      1,
    );
    api.deps.accounts.drop();
    const change = () => cli('crawler', 'set', '17', 'limits.depth=4');

    const before = await change();
    const released = await cli('release', 'crawler', '17');
    const after = await change();

    expect(before).toMatchObject({
      code: 4,
      err: expect.stringContaining('managed by a.yaml: change it there and run fossick apply'),
    });
    expect(before.err).not.toContain('preview');
    expect(released).toMatchObject({
      code: 0,
      out: expect.stringContaining('a file that still names it takes it back'),
    });
    expect(after.code).toBe(0);
    expect(await cli('release', 'key', '1')).toMatchObject({ code: 2 });
    expect(await cli('release', 'engine', '99')).toMatchObject({ code: 3 });
  });
});

test('a rebuild is waited for until the index is made', async () => {
  const store = await api.deps.engineStores.of(6);
  // What a test before this one has asked for.
  await store.endIndexWork('rebuild');
  const watched = cli('engine', 'rebuild', '6', '--watch');
  await eventually(async () => (await store.indexWork()) === 'rebuild');
  expect((await api.get('/engines/6/rebuild')).body).toEqual({ engine: 6, work: 'rebuild' });

  await store.endIndexWork('rebuild');

  expect(await watched).toEqual({ code: 0, out: 'The index of engine 6 is made anew\n', err: '' });
});

describe('where pages are', () => {
  test('is told of the admin pages and of a published search page', async () => {
    await api.patch('/engines/6', { page: { published: true, path: 'docs' } });

    expect((await cli('open')).out).toBe(`${api.origin}/admin\n`);
    expect((await cli('open', '6')).out).toBe(`${api.origin}/s/docs\n`);
    await api.patch('/engines/6', { page: { published: false } });
    expect(await cli('open', '6')).toMatchObject({ code: 3, err: expect.stringContaining('page.published=true') });
    expect(await cli('open', '99')).toMatchObject({ code: 3 });
  });
});

describe('a question', () => {
  const ANSWER = [
    'Nine ',
    '[1](https://a.test/hours#:~:text=nine) to five',
    ' [2](https://a.test/b).\u0007\nDaily [1](https://a.test/hours).',
  ];

  /** The three routes of a product that answer. */
  async function startAnswering() {
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      asked.push(`${request.method} ${request.url} ${body}`);
      if (request.url?.endsWith('/stream') === true) {
        for (const piece of ANSWER) response.write(piece);
        response.end();
      } else response.end(JSON.stringify({ customer: 3, answer: 'Nine to five.', citations: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = (...args: string[]) => runCli([...args, '--url', `http://127.0.0.1:${port}`, '--token', 'x']);
    return { asked, run, [Symbol.asyncDispose]: async () => void server.close() };
  }

  test('is answered as it is written, with its sources, and nothing drives the terminal', async () => {
    await using product = await startAnswering();

    const { out } = await product.run('ask', '6', 'When', 'do you open?');

    expect(out).toBe(
      'Nine [1] to five [2]. \nDaily [1].\n\n[1] https://a.test/hours#:~:text=nine\n[2] https://a.test/b\n',
    );
    expect(product.asked.at(-1)).toBe('POST /api/v4/3/6/search/answer/stream {"question":"When do you open?"}');
  });

  test('is answered whole as JSON', async () => {
    await using product = await startAnswering();

    expect(JSON.parse((await product.run('ask', '6', 'When?', '--json')).out)).toMatchObject({
      answer: 'Nine to five.',
    });
    expect(product.asked.at(-1)).toMatch(/^POST \/api\/v4\/3\/6\/search\/answer \{/);
  });
});
