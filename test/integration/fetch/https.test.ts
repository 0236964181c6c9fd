import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { OPEN_ACCESS } from '../../../src/fetch/fetcher.ts';
import { failureOf, openFetcher, pageRequest } from '../../helpers/fetching.ts';

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const certificate = fixture('site-certificate.pem');

/** A site with a certificate of its own for `site.example` and 127.0.0.1. */
async function startSecureSite() {
  const names: (string | false | null)[] = [];
  const server = createServer({ key: fixture('site-key.pem'), cert: certificate }, (_request, response) =>
    response.end('secure'),
  );
  server.on('secureConnection', ({ servername }) => names.push(servername));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    names,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const NAMES = { 'site.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] };

function requestTo(host: string, port: number, tls: { readonly verify: boolean; readonly ca: readonly string[] }) {
  const entry = `${host}:${port}`;
  return pageRequest(`https://${entry}/`, [], { access: { ...OPEN_ACCESS, allow: new Set([entry]), tls } });
}

describe('HTTPS', () => {
  test.each(['site.example', '127.0.0.1'])('%s is verified by its own name over the pinned address', async (host) => {
    await using site = await startSecureSite();
    await using fetcher = await openFetcher(NAMES);
    const found = await fetcher.fetch(requestTo(host, site.port, { verify: true, ca: [certificate] }));
    expect(Buffer.from(found.body as Uint8Array).toString()).toBe('secure');
    expect(site.names).toEqual([host === 'site.example' ? host : false]);
  });

  test.each([
    ['a certificate of nobody known', 'site.example', []],
    ['a certificate of another name', 'other.example', [certificate]],
  ])('%s is refused', async (_, host, ca) => {
    await using site = await startSecureSite();
    await using fetcher = await openFetcher(NAMES);
    const failed = await failureOf(fetcher.fetch(requestTo(host, site.port, { verify: true, ca })));
    expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'tls' });
  });

  test('a crawler may go without verification, and shares no connection with others', async () => {
    await using site = await startSecureSite();
    await using fetcher = await openFetcher(NAMES);
    await fetcher.fetch(requestTo('site.example', site.port, { verify: false, ca: [] }));
    const failed = await failureOf(fetcher.fetch(requestTo('site.example', site.port, { verify: true, ca: [] })));
    expect(failed.reason).toBe('tls');
  });
});
