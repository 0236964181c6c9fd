import { expect, test } from 'vitest';
import { checkSearchTools } from '../../../src/health/tool-check.ts';
import { checkDueTools } from '../../../src/search-tools/check-tools.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { SITE, startToolSite } from '../../helpers/tool-site.ts';

const DAY_MS = 86_400_000;

test('tools are checked once a day, and what is broken is a finding until it is whole', async () => {
  await using site = await startToolSite();
  const { deps } = site.api;
  const clock = { time: 10 * DAY_MS, now: () => clock.time };
  const signal = AbortSignal.timeout(20_000);
  const { log, lines } = captureLog();
  const check = () => checkDueTools({ ...deps, clock, log }, signal);
  const findings = () => checkSearchTools(deps.systemStore).look();
  const { body } = await site.api.post('/engines/6/pins', { query: 'cost', url: `${SITE}/prices` });

  await check();
  await site.remove('/prices');
  clock.time += DAY_MS - 1;
  await check();
  const early = await findings();
  clock.time += 1;
  await check();
  const due = await findings();
  await site.api.delete(`/engines/6/rankings/${body.ranking.id}`);

  expect(early).toEqual([]);
  expect(due).toEqual([
    expect.objectContaining({
      name: 'tools-broken',
      severity: 'warning',
      subject: 'engine 6',
      sentence: 'A search tool of engine 6 (pins, hidden pages, quicklinks, banners) leads to pages that are gone',
      command: 'fossick tools broken 6 (mend or remove them, then fossick tools check 6)',
    }),
  ]);
  expect(await findings()).toEqual([]);
  expect(lines).toEqual([]);
});

test('an engine that cannot be checked keeps no other from it', async () => {
  await using site = await startToolSite();
  const { deps } = site.api;
  await site.api.post('/engines', { id: 5, customer: 3, name: 'Broken' });
  const pins = [
    {
      engineId: 5,
      rank: 1,
      shown: true,
      page: { name: 'x', documentId: 'x', url: 'x', searchable: true, engineId: 5 },
    },
  ];
  const draft = {
    engineId: 5,
    name: 'R',
    audiences: undefined,
    terms: [],
    pins: pins.map((pin) => ({ ...pin, id: undefined })),
  };
  await deps.systemStore.addTool('ranking', draft, { customerId: 3, actor: 'operator', at: 1 });
  const { log, lines } = captureLog();
  const find: typeof deps.pages.find = async (engineId, ...rest) => {
    if (engineId === 5) throw new Error('the store is damaged');
    return deps.pages.find(engineId, ...rest);
  };

  await checkDueTools({ ...deps, pages: { ...deps.pages, find }, log }, AbortSignal.timeout(20_000));

  expect(await deps.systemStore.toolsCheckedAt(5)).toBeUndefined();
  expect(await deps.systemStore.toolsCheckedAt(6)).toBeDefined();
  expect(lines).toMatchObject([{ fields: { engineId: 5 }, message: 'search tools could not be checked' }]);
});
