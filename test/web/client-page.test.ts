import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { startProduct } from '../helpers/product.ts';
import { useBrowser, WEB_FOLDER, WIDE } from './browser-view.ts';

const { openPage } = useBrowser();

const EXAMPLE = join(import.meta.dirname, '../../docs/examples/search.html');

/** A host that serves one page and knows nothing of the product. */
async function startHost(html: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a page of another origin searches, tracks and shows an answer as it is written', async () => {
  await using product = await startProduct({ webFolder: WEB_FOLDER });
  const example = (await readFile(EXAMPLE, 'utf8'))
    .replaceAll('http://127.0.0.1:8080', product.origin)
    .replace('customerId: 1, engineId: 1', 'customerId: 3, engineId: 6');
  await using host = await startHost(example);
  await using view = await openPage(host.origin, { viewport: WIDE });
  const { page } = view;
  await page.route('https://example.com/**', (route) => route.fulfill({ body: 'The page that was clicked' }));

  await page.getByRole('textbox', { name: 'Search' }).fill('How long does a solar panel last?');
  await page.keyboard.press('Enter');
  await page.getByText('A panel lasts 25 years. [1](https://example.com/solar)').waitFor();
  await page.getByRole('link', { name: 'Solar panels guide' }).click();
  await page.waitForURL('https://example.com/solar');

  const [query] = await eventually(async () => {
    const logged = await product.systemStore.listQueryEvents({ engineId: 6, limit: 2 });
    return logged.length === 1 ? logged : undefined;
  });
  expect(query).toMatchObject({ text: 'How long does a solar panel last?' });
  await eventually(async () => {
    const clicks = await product.systemStore.listClickEvents({ engineId: 6, limit: 2 });
    return clicks.length === 1 ? clicks : undefined;
  });
});

test('the client is one file without imports, of at most 6 kB when it is packed', async () => {
  const built = await readFile(join(WEB_FOLDER, 'client.js'), 'utf8');

  expect(built).not.toMatch(/\bimport\b/);
  expect(gzipSync(built).length).toBeLessThan(6_000);
});
