import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { openInstallation } from '../../../src/compose/installation.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { identifySite } from '../../../workers/identify-site.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ADDRESS = 'http://127.0.0.1:1';

async function firstStartIn(dataDir: string, site?: string, variables: Readonly<Record<string, string>> = {}) {
  return (await beginIn(dataDir, { site, variables })).start;
}

async function beginIn(
  dataDir: string,
  {
    site,
    variables = {},
    address = ADDRESS,
  }: {
    readonly site?: string | undefined;
    readonly variables?: Readonly<Record<string, string>>;
    readonly address?: string;
  } = {},
) {
  const config = CONFIG.parse({ DATA_DIR: dataDir, SECRETS_KEY: 'a key of sixteen characters', ...variables });
  const identify = (url: string) => identifySite(url, { config, address, log: silentLog });
  return openInstallation({ config, address, site, identify, log: silentLog });
}

test('an empty installation gets a demo customer with a key', async () => {
  await using folder = await temporaryFolder();

  const start = await firstStartIn(folder.path);

  expect(start).toMatchObject({ engine: { id: 1 }, seed: `${ADDRESS}/sample/index.html`, apiKey: expect.any(String) });
  expect((await firstStartIn(folder.path))?.apiKey).toBe(start?.apiKey);
});

test('the pages of a first start are published, the first one at the root', async () => {
  await using folder = await temporaryFolder();
  await firstStartIn(folder.path);

  const root = await firstStartIn(folder.path);
  const site = await firstStartIn(folder.path, 'https://www.example.com/');
  const sameHost = await firstStartIn(folder.path, 'https://www.example.com/docs/');

  expect([root, site, sameHost]).toMatchObject([
    { pagePath: '/', engine: { settings: { page: { published: true } } } },
    { pagePath: '/s/example-com' },
    { engine: { id: 3, name: 'example.com' } },
  ]);
  expect(sameHost?.pagePath).toBeUndefined();
});

test('the engine of a site has the language and the name that its pages have', async () => {
  await using folder = await temporaryFolder();
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    asked.push([request.url, request.headers.authorization, JSON.parse(body)]);
    response.end(JSON.stringify({ language: 'da', siteName: 'Botanisk Have', address: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const variables = { OPERATOR_TOKEN: 'a token of sixteen characters' };
  const begin = () => beginIn(folder.path, { site: 'https://www.example.com/', address, variables });

  const { start } = await begin();
  await begin();
  server.close();

  expect(start).toMatchObject({
    engine: { name: 'Botanisk Have', language: 'da' },
    crawler: { name: 'www.example.com' },
    pagePath: '/',
  });
  // A start with a site that is known looks at nothing.
  expect(asked).toEqual([
    ['/admin/v1/probe', 'Bearer a token of sixteen characters', { url: 'https://www.example.com/' }],
  ]);
});

test.each([
  ['lead to the place in the page', {}, true],
  ['are addresses of documents, which an existing front end looks titles up by', { FRONT_END_PREFIX: 'Acme' }, false],
])('links of answers of the first engine %s with %j', async (_what, variables, citationFragments) => {
  await using folder = await temporaryFolder();

  const start = await firstStartIn(folder.path, undefined, variables);

  expect(start?.engine.settings).toMatchObject({ aiEnabled: true, citationFragments });
});

test('an installation with customers of its own gets no demo key', async () => {
  await using folder = await temporaryFolder();
  {
    await using system = await openSystem(folder.path);
    const changes = [
      { kind: 'put-customer', id: 3, name: 'Three' },
      {
        kind: 'put-engine',
        id: 6,
        customerId: 3,
        name: 'Six',
        language: 'en',
        settings: ENGINE_DEFAULTS,
        publicSettings: PUBLIC_DEFAULTS,
      },
    ] as const;
    await system.store.changeRecords('test', [...changes], systemClock.now());
  }

  await firstStartIn(folder.path);

  expect(existsSync(join(folder.path, 'demo-api-key'))).toBe(false);
});

test('the link of the first operator is the same at each start, in a file for its owner, until somebody is there', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'first-operator-link');
  const { firstLink } = await beginIn(folder.path);

  expect(firstLink).toMatch(/^http:\/\/127\.0\.0\.1:1\/admin\/invitation#[\w-]{43}$/);
  expect((await beginIn(folder.path)).firstLink).toBe(firstLink);
  expect(await readFile(path, 'utf8')).toBe(`${firstLink}\n`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  {
    await using system = await openSystem(folder.path);
    const person = { kind: 'put-person', email: 'otto@example.org', role: 'operator', customers: [] } as const;
    await system.store.changeRecords('operator', [person], 1);
  }
  expect((await beginIn(folder.path)).firstLink).toBeUndefined();
  expect(existsSync(path)).toBe(false);
});

test('a link of the first operator that is too old gives way to a new one', async () => {
  await using folder = await temporaryFolder();
  const { firstLink } = await beginIn(folder.path);
  {
    await using system = await openSystem(folder.path);
    const forged = { actor: 'test', personId: undefined, sha256: 'x', at: 1, expiresAt: 2 };
    await system.store.putInvitation(forged);
  }

  const again = await beginIn(folder.path);

  expect(again.firstLink).toMatch(/#[\w-]{43}$/);
  expect(again.firstLink).not.toBe(firstLink);
});

test.each([
  [{ PUBLIC_URL: 'https://search.example.org' }, 'https://search.example.org/admin/invitation#'],
  [{ PUBLIC_URL: 'https://search.example.org', ADMIN_PORT: '8090' }, 'http://127.0.0.1:8090/admin/invitation#'],
])('with %j the link of the first operator leads to where the admin pages are', async (variables, start) => {
  await using folder = await temporaryFolder();

  expect((await beginIn(folder.path, { variables })).firstLink?.startsWith(start)).toBe(true);
});
