import { expect, test } from 'vitest';
import { builtWidget, WIDGET_BUILD, WIDGET_SCRIPT } from '../helpers/built-widget.ts';
import { startProduct } from '../helpers/product.ts';

const VERSION_PATH = `/widget/${WIDGET_BUILD.version}/widget.js`;

test.each([
  ['/widget.js', 'public, max-age=300'],
  [VERSION_PATH, 'public, max-age=31536000, immutable'],
])('%s is a script that every page may load and keep: %s', async (path, kept) => {
  await using folder = await builtWidget();
  await using product = await startProduct({ webFolder: folder.webFolder });

  const { status, headers, body } = await product.send({ path });

  expect({ status, body }).toEqual({ status: 200, body: WIDGET_SCRIPT });
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^(text|application)\/javascript/),
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': kept,
  });
});

test('whoever has the script already is told so', async () => {
  await using folder = await builtWidget();
  await using product = await startProduct({ webFolder: folder.webFolder });
  const { etag } = (await product.send({ path: '/widget.js' })).headers;

  const again = await product.send({ path: '/widget.js', headers: { 'if-none-match': String(etag) } });

  expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: '' });
});

test('the script is sent as it was compressed by the build', async () => {
  await using folder = await builtWidget();
  await using product = await startProduct({ webFolder: folder.webFolder });

  const { headers } = await product.send({ path: VERSION_PATH, headers: { 'accept-encoding': 'gzip' } });

  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringMatching(/accept-encoding/i) });
  expect(Number(headers['content-length'])).toBeLessThan(100);
});

test.each(['/widget/0.0.0-00000000/widget.js', '/widget/', '/widget.json', '/widget/../widget.json'])(
  'there is nothing at %s',
  async (path) => {
    await using folder = await builtWidget();
    await using product = await startProduct({ webFolder: folder.webFolder });

    expect((await product.send({ path })).status).toBe(404);
  },
);

test('the widget is there without a search page, and not without a build', async () => {
  await using folder = await builtWidget();
  await using product = await startProduct({ webFolder: folder.webFolder, settings: { searchPage: false } });
  await using unbuilt = await startProduct();

  expect((await product.send({ path: '/widget.js' })).status).toBe(200);
  expect((await unbuilt.send({ path: '/widget.js' })).status).toBe(404);
});
