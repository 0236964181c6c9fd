import { expect, test } from 'vitest';
import { exportProvision } from '../../../src/accounts/manage-engines.ts';
import { startAdminApi } from '../../helpers/admin-api.ts';

/** Two customers with an engine each; the page of the first has a path, a host name and a colour. */
async function startWithPages() {
  const api = await startAdminApi();
  for (const id of [3, 4]) await api.post('/customers', { id, name: `Customer ${id}` });
  const page = { published: true, path: 'help', hosts: ['search.a.example'], theme: { light: { accent: '#a0c' } } };
  await api.post('/engines', { id: 6, customer: 3, name: 'Docs', page });
  await api.post('/engines', { id: 8, customer: 4, name: 'Other docs' });
  return api;
}

test('a page is shown with its defaults, changed member by member and taken back', async () => {
  await using api = await startWithPages();

  expect((await api.get('/engines/6')).body.page).toMatchObject({
    published: true,
    theme: { light: { accent: '#aa00cc' }, radius: 'large' },
  });
  const changed = await api.patch('/engines/6', { page: { title: 'Help', theme: { radius: 'none' } } });
  expect(changed).toMatchObject({
    status: 200,
    body: { page: { path: 'help', title: 'Help', theme: { light: { accent: '#aa00cc' }, radius: 'none' } } },
  });
  expect((await api.patch('/engines/6', { page: null })).body).not.toHaveProperty('page');
});

test.each<[what: string, page: object, problem: { path: string; message: string }]>([
  [
    'the path of another page',
    { path: 'help' },
    { path: 'page.path', message: 'page.path: help is the path of the page of engine 6 (Docs): take another' },
  ],
  [
    'the host name of another page',
    { hosts: ['b.example', 'SEARCH.A.example'] },
    {
      path: 'page.hosts[1]',
      message: 'page.hosts[1]: search.a.example is the host of the page of engine 6 (Docs): take another',
    },
  ],
  [
    'faint text',
    { theme: { dark: { background: '#fff', surface: '#000' } } },
    {
      path: 'page.theme.dark.text',
      message:
        'page.theme.dark.text: cannot be read: #e9e6df on background #ffffff has a contrast of 1.24, and needs 4.5 (WCAG AA)',
    },
  ],
])('a page with %s is refused and nothing changes', async (_what, page, problem) => {
  await using api = await startWithPages();
  const before = await api.get('/engines/8');

  expect(await api.patch('/engines/8', { page })).toMatchObject({ status: 400, body: { errors: [problem] } });
  expect(await api.post('/engines', { customer: 4, name: 'New', page })).toMatchObject({ status: 400 });
  expect((await api.get('/engines')).body.items).toHaveLength(2);
  expect(await api.get('/engines/8')).toEqual(before);
});

test('a name gives a path only to a page that is published', async () => {
  await using api = await startWithPages();
  await api.patch('/engines/6', { page: { path: null } });

  expect(await api.patch('/engines/8', { name: 'DOCS' })).toMatchObject({ status: 200 });
  expect(await api.patch('/engines/8', { page: { published: true } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'page.path' }] },
  });
  expect(await api.patch('/engines/8', { page: { published: true, path: 'other' } })).toMatchObject({ status: 200 });
  expect(await api.patch('/engines/6', { page: { published: false } })).toMatchObject({ status: 200 });
  expect(await api.patch('/engines/8', { page: { path: null } })).toMatchObject({ status: 200 });
});

test('a provision file sets pages, is exported with them, and may not give an address twice', async () => {
  await using api = await startWithPages();
  const content = await exportProvision(api.deps);
  expect(content).toMatchObject({
    customers: [{ engines: [{ id: 6, page: { path: 'help', hosts: ['search.a.example'] } }] }, { id: 4 }],
  });
  const engines = (...pages: object[]) => ({
    name: 'file',
    content: {
      version: 1,
      customers: [{ id: 4, engines: pages.map((page, at) => ({ id: 20 + at, name: 'Same', page })) }],
    },
  });

  expect(
    await api.post('/configuration/plan', engines({ path: 'help' }, { hosts: ['search.a.example'] })),
  ).toMatchObject({
    status: 400,
    body: {
      errors: [{ path: 'customers[0].engines[0].page.path' }, { path: 'customers[0].engines[1].page.hosts[0]' }],
    },
  });
  expect(await api.post('/configuration/plan', engines({ published: true }, { published: true }))).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringContaining('same is the path of the page of engine 20') }] },
  });
  expect(await api.post('/configuration/apply', engines({ published: true }, {}))).toMatchObject({ status: 200 });
  expect(await api.post('/configuration/plan', engines({ published: true }, {}))).toMatchObject({
    status: 200,
    body: { changes: [] },
  });
});
