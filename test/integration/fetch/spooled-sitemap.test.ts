import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { SpoolFile } from '../../../src/fetch/fetcher.ts';
import { openFetcher, pageRequest } from '../../helpers/fetching.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a sitemap goes to the spool folder whatever its type, because it may be long', async () => {
  await using site = await startSiteServer({
    '/s.xml': { headers: { 'content-type': 'text/xml' }, body: '<urlset/>' },
  });
  await using fetcher = await openFetcher();

  const found = await fetcher.fetch(pageRequest(`${site.origin}/s.xml`, [site.host], { purpose: 'sitemap' }));

  expect(await readFile((found.body as SpoolFile).path, 'utf8')).toBe('<urlset/>');
});
