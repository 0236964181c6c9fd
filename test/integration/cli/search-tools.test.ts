import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { SITE, startToolSite, type ToolSite } from '../../helpers/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await startToolSite();
});
afterAll(() => site[Symbol.asyncDispose]());

const run = (...args: readonly string[]) => runCli([...args, '--url', site.api.origin, '--token', OPERATOR_TOKEN]);
const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).out);

describe('a pin', () => {
  test('is made, listed and removed', async () => {
    const first = await run('pin', '6', 'opening hours', `${SITE}/prices`);
    const second = await run('pin', '6', 'opening hours', `${SITE}/opening-hours`, '1');
    const list = await run('pin', 'list', '6', 'Opening Hours');
    await run('pin', 'remove', '6', 'opening hours', `${SITE}/prices`);
    const last = await run('pin', 'remove', '6', 'opening hours', `${SITE}/opening-hours/`);

    expect(first).toMatchObject({ code: 0, out: expect.stringContaining(`${SITE}/prices is at place 1 (ranking `) });
    expect(second.out).toContain(`${SITE}/prices made room: place 2\n`);
    expect(list.out).toMatch(/^opening hours +1 +https:\/\/www\.example\.com\/opening-hours\/ +When we are open/m);
    expect(last.out).toContain('which held nothing else and is removed');
    expect(await json('pin', 'list', '6')).toEqual([]);
  });

  test('to what is no document ends with 3 and the nearest addresses', async () => {
    const { code, err } = await run('pin', '6', 'sun', `${SITE}/guides/solar-panel.html`);

    expect(code).toBe(3);
    expect(err).toContain(`did you mean ${SITE}/guides/solar-panels.html`);
  });

  test.each([
    [['pin', '6', 'sun'], 'The address of the page is missing'],
    [['pin', '6', 'sun', `${SITE}/`, 'first'], '"first" is no place'],
    [['pin', 'six', 'sun', `${SITE}/`], 'use the number that "fossick engine list" shows'],
    [['hide', '6'], 'Name the page by its address'],
    [['banner', 'set', '6', 'one', 'name=x'], 'use the number that "fossick banner list" shows'],
    [['synonym', 'add', '3', 'en', 'power'], 'fossick synonym add'],
  ])('%j ends with 2 and says what is wrong', async (args, message) => {
    const { code, err } = await run(...args);

    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

test('a page is hidden for a query, or for all of them', async () => {
  const query = await run('hide', '6', `${SITE}/prices`, '--query', 'hours');
  const all = await json('hide', '6', `${SITE}/prices`, '--note', 'Old');

  expect(query.out).toContain(`${SITE}/prices is hidden (ranking `);
  expect(await json('hide', 'list', '6')).toMatchObject([{ id: all.id, note: 'Old' }]);
  expect(await run('hide', 'remove', '6', String(all.id))).toMatchObject({ code: 0 });
  expect((await run('hide', 'list', '6')).out).toBe('no hidden pages: fossick hide <engine> <url>\n');
  await run('pin', 'remove', '6', 'hours', `${SITE}/prices`);
});

test.each([
  [
    'ranking',
    ['Hours', 'queries=["hours"]', `pins=[{"url":"${SITE}/prices"}]`],
    ['name=Prices'],
    { name: 'Prices', queries: ['hours'], pins: [{ title: 'Prices', place: 1 }] },
  ],
  [
    'banner',
    ['Sale', '<b>Sale</b>', 'queries=["sale"]'],
    ['disabled=true'],
    { name: 'Sale', disabled: true, activeNow: false },
  ],
  [
    'quicklink',
    ['/contact', 'contact', 'phone'],
    ['url=/contact-us'],
    { url: '/contact-us', queries: ['contact', 'phone'] },
  ],
])('a %s is made, shown, listed, changed and removed', async (noun, members, change, changed) => {
  const { id } = await json(noun, 'add', '6', ...members);

  expect(await json(noun, 'set', '6', String(id), ...change)).toMatchObject(changed);
  expect(await json(noun, 'show', '6', String(id))).toMatchObject(changed);
  expect(await json(noun, 'list', '6')).toMatchObject([{ id }]);
  expect((await run(noun, 'list', '6')).out).toMatch(new RegExp(`^${id} +`, 'm'));
  expect(await run(noun, 'remove', '6', String(id))).toMatchObject({ code: 0 });
  expect(await run(noun, 'show', '6', String(id))).toMatchObject({ code: 3 });
});

test('a synonym group is made, changed and removed', async () => {
  const { id } = await json('synonym', 'add', '3', 'en', 'power', 'electricity');

  expect(await json('synonym', 'set', '3', String(id), 'power', 'current')).toMatchObject({
    language: 'en',
    words: ['power', 'current'],
  });
  expect(await json('synonym', 'list', '3', 'current')).toMatchObject([{ id }]);
  expect((await run('synonym', 'list', '3')).out).toContain('power, current');
  expect(await json('synonym', 'show', '3', String(id))).toMatchObject({ id });
  expect(await run('synonym', 'remove', '3', String(id))).toMatchObject({ code: 0 });
});

test('targets that are gone are told with the tool that names them', async () => {
  await run('pin', '6', 'people', `${SITE}/about/people`);
  const never = await run('tools', 'broken', '6');
  await site.remove('/about/people');
  const found = await run('tools', 'check', '6');

  expect(never.out).toBe('never looked at: fossick tools check 6\n');
  expect(found.out).toMatch(/^ranking +\d+ +people +https:\/\/www\.example\.com\/about\/people/m);
  expect((await run('pin', 'list', '6')).out).toMatch(/about\/people .* true$/m);
  expect(await json('documents', 'near', '6', 'opening', 'hours')).toMatchObject([{}, {}]);
});
