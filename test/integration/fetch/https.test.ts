import { describe, expect, test } from 'vitest';
import { OPEN_ACCESS } from '../../../src/fetch/fetcher.ts';
import { failureOf, openFetcher, openTo, pageRequest } from '../../helpers/fetching.ts';
import { SITE_CERTIFICATE, startSecureSite } from '../../helpers/secure-site.ts';

const PAGES = { '/': { body: 'secure' } };
const NAMES = { 'site.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] };

function requestTo(host: string, port: number, tls: { readonly verify: boolean; readonly ca: readonly string[] }) {
  const entry = `${host}:${port}`;
  return pageRequest(`https://${entry}/`, [], { access: { ...OPEN_ACCESS, allow: openTo([entry]), tls } });
}

describe('HTTPS', () => {
  test.each(['site.example', '127.0.0.1'])('%s is verified by its own name over the pinned address', async (host) => {
    await using site = await startSecureSite(PAGES);
    await using fetcher = await openFetcher(NAMES);
    const found = await fetcher.fetch(requestTo(host, site.port, { verify: true, ca: [SITE_CERTIFICATE] }));
    expect(Buffer.from(found.body as Uint8Array).toString()).toBe('secure');
    expect(site.names).toEqual([host === 'site.example' ? host : false]);
  });

  test.each([
    ['a certificate of nobody known', 'site.example', []],
    ['a certificate of another name', 'other.example', [SITE_CERTIFICATE]],
  ])('%s is refused', async (_, host, ca) => {
    await using site = await startSecureSite(PAGES);
    await using fetcher = await openFetcher(NAMES);
    const failed = await failureOf(fetcher.fetch(requestTo(host, site.port, { verify: true, ca })));
    expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'tls' });
  });

  test('a crawler may go without verification, and shares no connection with others', async () => {
    await using site = await startSecureSite(PAGES);
    await using fetcher = await openFetcher(NAMES);
    await fetcher.fetch(requestTo('site.example', site.port, { verify: false, ca: [] }));
    const failed = await failureOf(fetcher.fetch(requestTo('site.example', site.port, { verify: true, ca: [] })));
    expect(failed.reason).toBe('tls');
  });
});
