import { expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { builtWidget, WIDGET_BUILD } from '../../helpers/built-widget.ts';
import { runCli } from '../../helpers/cli.ts';

const VERSION_PATH = `/widget/${WIDGET_BUILD.version}/widget.js`;
/** Of `3:6:SearchKey`. */
const KEY = 'Mzo2OlNlYXJjaEtleQ==';

async function startApi(changes: Parameters<typeof startAdminApi>[2]) {
  const api = await startAdminApi(undefined, undefined, changes);
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  const cli = (...args: readonly string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  return Object.assign(api, { cli });
}

test('the command prints the tag of an engine, and one whose script the browser compares', async () => {
  await using folder = await builtWidget();
  await using api = await startApi({ webFolder: folder.webFolder, publicUrl: 'https://search.example.com' });

  const { code, out, err } = await api.cli('widget', '6');

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`<script async src="https://search.example.com/widget.js" data-key="${KEY}"></script>`);
  expect(out).toContain(
    `<script async src="https://search.example.com${VERSION_PATH}" integrity="${WIDGET_BUILD.integrity}" crossorigin data-key="${KEY}"></script>`,
  );
  expect(out).toContain('data-trigger');
});

test('programs get the parts of the tag as well', async () => {
  await using folder = await builtWidget();
  await using api = await startApi({ webFolder: folder.webFolder });

  const { out } = await api.cli('widget', '6', '--address', 'https://search.example.com/', '--json');

  expect(JSON.parse(out)).toEqual({
    engine: 6,
    key: KEY,
    address: 'https://search.example.com',
    path: '/widget.js',
    versionPath: VERSION_PATH,
    integrity: WIDGET_BUILD.integrity,
    tag: expect.stringMatching(/^<script /),
    pinnedTag: expect.stringMatching(/^<script .*integrity=/),
  });
});

test('an address that nobody has named is that of the api, with a warning', async () => {
  await using folder = await builtWidget();
  await using api = await startApi({ webFolder: folder.webFolder });

  const { code, out, err } = await api.cli('widget', '6');

  expect(code).toBe(0);
  expect(out).toContain(`src="${api.origin}/widget.js"`);
  expect(err).toMatch(/^warning: .*--address/);
});

test('an unknown engine, a missing build and a wrong address are told', async () => {
  await using folder = await builtWidget();
  await using api = await startApi({ webFolder: folder.webFolder });
  await using unbuilt = await startApi({});

  expect(await api.cli('widget', '99')).toMatchObject({ code: 3, err: expect.stringContaining('99') });
  expect(await unbuilt.cli('widget', '6')).toMatchObject({ code: 3, err: expect.stringContaining('npm run setup') });
  expect(await api.cli('widget', '6', '--address', 'search')).toMatchObject({
    code: 2,
    err: expect.stringContaining('https://search.example.com'),
  });
});
