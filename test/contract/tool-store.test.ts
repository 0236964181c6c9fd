import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import type {
  BannerDraft,
  HiddenPageDraft,
  QuicklinkDraft,
  RankingDraft,
  ToolChange,
} from '../../src/storage/system/tools.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';
import { storeAdapter } from '../helpers/store-adapter.ts';

let system: OpenSystem;
let store: SystemStore;
let nextCustomerId = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

const newCustomer = () => nextCustomerId++;
const BY: ToolChange = { actor: 'operator', at: 5 };
const ofCustomer = (customerId: number) => ({ ...BY, customerId });
const term = (name: string, id?: number) => ({ id, name });

const banner = (changes: Partial<BannerDraft> = {}): BannerDraft => ({
  engineId: 6,
  name: 'Sale',
  html: '<b>Sale</b>',
  terms: [],
  disabled: false,
  from: undefined,
  to: undefined,
  audiences: undefined,
  engineIds: [6],
  frequency: null,
  daysOfWeek: null,
  cssCode: undefined,
  jsonOption: undefined,
  editorType: undefined,
  ...changes,
});

const quicklink = (changes: Partial<QuicklinkDraft> = {}): QuicklinkDraft => ({
  engineId: 6,
  url: '/contact',
  terms: [],
  ...changes,
});

const pin = (documentId: string, id?: number): RankingDraft['pins'][number] => ({
  id,
  engineId: 6,
  rank: 1,
  shown: true,
  page: { name: documentId, documentId, url: '/', searchable: true, engineId: 6 },
});

const ranking = (changes: Partial<RankingDraft> = {}): RankingDraft => ({
  engineId: 6,
  name: 'First',
  audiences: undefined,
  terms: [],
  pins: [],
  ...changes,
});

describe('records', () => {
  test('come back exactly as stored, terms and pins in order', async () => {
    const customerId = newCustomer();
    const full = banner({
      terms: [term('b'), term('a')],
      disabled: true,
      from: '2026-01-01T00:00:00Z',
      to: '2026-02-01T00:00:00+01:00',
      audiences: ['vip', { any: ['thing'] }],
      engineIds: [6, 7],
      frequency: { times: 3 },
      daysOfWeek: [1, 2],
      cssCode: 'b { color: red }',
      jsonOption: '{}',
      editorType: 'html',
    });

    const stored = await store.addTool('banner', full, ofCustomer(customerId));
    const found = await store.findTool('banner', { customerId, id: stored.id });

    const { terms: _, ...members } = full;
    expect(found).toEqual({
      ...members,
      id: stored.id,
      customerId,
      terms: stored.terms,
      managedBy: undefined,
      broken: undefined,
    });
    expect(found).toEqual(stored);
    expect(stored.terms.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('of a ranking hold their pins in order', async () => {
    const customerId = newCustomer();
    const stored = await store.addTool('ranking', ranking({ pins: [pin('z'), pin('y')] }), ofCustomer(customerId));

    const found = await store.findTool('ranking', { customerId, id: stored.id });

    expect(found?.pins.map(({ page }) => page.documentId)).toEqual(['z', 'y']);
    expect(found).toEqual(stored);
  });

  test('get growing ids that are never given again, also after removal', async () => {
    const customerId = newCustomer();
    const first = await store.addTool('quicklink', quicklink({ terms: [term('a')] }), ofCustomer(customerId));
    await store.removeTool('quicklink', { customerId, id: first.id }, BY);

    const second = await store.addTool('quicklink', quicklink({ terms: [term('a')] }), ofCustomer(customerId));

    expect(second.id).toBeGreaterThan(first.id);
    expect(second.terms[0]!.id).toBeGreaterThan(first.terms[0]!.id);
  });

  test('ignore wishes for part ids when they are new', async () => {
    const customerId = newCustomer();
    const other = await store.addTool('quicklink', quicklink({ terms: [term('a')] }), ofCustomer(customerId));

    const stored = await store.addTool(
      'quicklink',
      quicklink({ terms: [term('b', other.terms[0]!.id)] }),
      ofCustomer(customerId),
    );

    expect(stored.terms[0]!.id).toBeGreaterThan(other.terms[0]!.id);
    expect(await store.findTool('quicklink', { customerId, id: other.id })).toEqual(other);
  });
});

describe('a replacement', () => {
  test('keeps the ids of repeated parts, gives others new ones and drops the rest', async () => {
    const customerId = newCustomer();
    const draft = ranking({ terms: [term('one'), term('two')], pins: [pin('x'), pin('y')] });
    const before = await store.addTool('ranking', draft, ofCustomer(customerId));
    const [one, two] = before.terms;
    const [, y] = before.pins;

    const after = await store.replaceTool(
      'ranking',
      {
        customerId,
        id: before.id,
        draft: {
          ...ranking({ name: 'Renamed', engineId: 7 }),
          terms: [term('zero'), term('TWO', two!.id), term('again', two!.id)],
          pins: [pin('Y', y!.id)],
        },
      },
      BY,
    );

    expect(after).toMatchObject({ id: before.id, name: 'Renamed', engineId: 7 });
    expect(after?.terms.map(({ name }) => name)).toEqual(['zero', 'TWO', 'again']);
    expect(after?.terms[1]?.id).toBe(two!.id);
    expect(after?.terms[0]?.id).toBeGreaterThan(two!.id);
    expect(after?.terms[2]?.id).toBeGreaterThan(two!.id);
    expect(after?.terms.map(({ id }) => id)).not.toContain(one!.id);
    expect(after?.pins.map(({ id, page }) => [id, page.documentId])).toEqual([[y!.id, 'Y']]);
    expect(await store.findTool('ranking', { customerId, id: before.id })).toEqual(after);
  });

  test('of what does not exist is undefined and leaves no parts behind', async () => {
    const customerId = newCustomer();
    const replaced = await store.replaceTool(
      'banner',
      { customerId, id: 999_999, draft: banner({ terms: [term('a')] }) },
      BY,
    );

    expect(replaced).toBeUndefined();
    const parts = 'SELECT id FROM banner_terms WHERE parent_id = 999999';
    expect(await storeAdapter.query(system.dataDir, { kind: 'system' }, parts)).toEqual([]);
  });
});

describe('records of another customer', () => {
  test('are as those that do not exist', async () => {
    const owner = newCustomer();
    const other = newCustomer();
    const { id } = await store.addTool('banner', banner(), ofCustomer(owner));

    expect(await store.findTool('banner', { customerId: other, id })).toBeUndefined();
    expect(
      await store.replaceTool('banner', { customerId: other, id, draft: banner({ name: 'Mine' }) }, BY),
    ).toBeUndefined();
    expect(await store.removeTool('banner', { customerId: other, id }, BY)).toBe(false);
    expect(await store.listTools('banner', { customerId: other })).toEqual([]);
    expect((await store.findTool('banner', { customerId: owner, id }))?.name).toBe('Sale');
  });
});

test('lists ascend by id and hold one engine or all of the customer', async () => {
  const customerId = newCustomer();
  const ids: number[] = [];
  for (const engineId of [7, 6, 7])
    ids.push((await store.addTool('banner', banner({ engineId }), ofCustomer(customerId))).id);

  const all = await store.listTools('banner', { customerId });
  const seven = await store.listTools('banner', { customerId, engineId: 7 });

  expect(all.map(({ id }) => id)).toEqual(ids);
  expect(seven.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
});

test('a removed record is gone with its parts', async () => {
  const customerId = newCustomer();
  const { id } = await store.addTool(
    'ranking',
    ranking({ terms: [term('a')], pins: [pin('x')] }),
    ofCustomer(customerId),
  );

  expect(await store.removeTool('ranking', { customerId, id }, BY)).toBe(true);
  expect(await store.removeTool('ranking', { customerId, id }, BY)).toBe(false);
  expect(await store.findTool('ranking', { customerId, id })).toBeUndefined();
});

describe('synonym groups', () => {
  test('come back as stored, one by one and by language in any case', async () => {
    const customerId = newCustomer();
    const english = await store.addSynonymGroup({ customerId, language: 'en', words: ['power', 'electricity'] }, BY);
    const american = await store.addSynonymGroup({ customerId, language: 'en-US', words: ['gas'] }, BY);

    expect(await store.findSynonymGroup({ customerId, id: english.id })).toEqual(english);
    expect(await store.listSynonymGroups(customerId, 'EN')).toEqual([english]);
    expect(await store.listSynonymGroups(customerId, 'en-us')).toEqual([american]);
    expect(await store.listSynonymGroups(customerId)).toEqual([english, american]);
    expect(await store.listSynonymGroups(customerId, 'da')).toEqual([]);
  });

  test('are replaced by their owner only', async () => {
    const customerId = newCustomer();
    const group = await store.addSynonymGroup({ customerId, language: 'en', words: ['a'] }, BY);
    const changed = { ...group, language: 'da', words: ['b', 'c'] };

    expect(await store.replaceSynonymGroup({ ...changed, customerId: newCustomer() }, BY)).toBeUndefined();
    expect(await store.findSynonymGroup({ customerId, id: group.id })).toEqual(group);
    expect(await store.replaceSynonymGroup(changed, BY)).toEqual(changed);
    expect(await store.findSynonymGroup({ customerId, id: group.id })).toEqual(changed);
  });

  test('are removed together; ids of others and unknown ids are left out', async () => {
    const customerId = newCustomer();
    const other = await store.addSynonymGroup({ customerId: newCustomer(), language: 'en', words: ['x'] }, BY);
    const a = await store.addSynonymGroup({ customerId, language: 'en', words: ['a'] }, BY);
    const b = await store.addSynonymGroup({ customerId, language: 'en', words: ['b'] }, BY);

    expect(await store.removeSynonymGroups(customerId, [b.id, other.id, 999_999, a.id], BY)).toEqual([a.id, b.id]);
    expect(await store.listSynonymGroups(customerId)).toEqual([]);
    expect(await store.findSynonymGroup({ customerId: other.customerId, id: other.id })).toEqual(other);
    const next = await store.addSynonymGroup({ customerId, language: 'en', words: ['c'] }, BY);
    expect(next.id).toBeGreaterThan(b.id);
  });
});

const hidden = (changes: Partial<HiddenPageDraft> = {}): HiddenPageDraft => ({
  engineId: 6,
  documentId: 'https://example.com/old',
  url: 'https://example.com/old',
  title: 'Old',
  note: undefined,
  hiddenAt: 5,
  ...changes,
});

test('a hidden page comes back exactly as it was stored', async () => {
  const customerId = newCustomer();
  const draft = hidden({ note: 'Replaced by the new one' });

  const stored = await store.addTool('hidden-page', draft, ofCustomer(customerId));

  expect(stored).toEqual({ ...draft, id: stored.id, customerId, managedBy: undefined, broken: undefined });
  expect(await store.listTools('hidden-page', { customerId, engineId: 6 })).toEqual([stored]);
});

describe('a change', () => {
  test('is in the audit log with who made it, and one that changes nothing is not', async () => {
    const customerId = newCustomer();
    const change = { actor: 'key:4 cms', at: 7 };
    const draft = ranking({ terms: [term('hours')], pins: [pin('x')] });
    const { id } = await store.addTool('ranking', draft, { ...change, customerId });
    const again = { customerId, id, draft };
    await store.replaceTool('ranking', again, { ...change, at: 8 });
    await store.replaceTool('ranking', { ...again, draft: { ...draft, name: 'Opening' } }, { ...change, at: 9 });
    await store.removeTool('ranking', { customerId, id }, { ...change, at: 10 });

    const rows = (await store.listAudit({ limit: 9 })).entries.filter(
      ({ target }) => target === `engine:6/ranking:${id}`,
    );

    expect(rows.map(({ actor, action, at }) => [actor, action, at])).toEqual([
      ['key:4 cms', 'remove-ranking', 10],
      ['key:4 cms', 'change-ranking', 9],
      ['key:4 cms', 'add-ranking', 7],
    ]);
    expect(rows[1]).toMatchObject({ before: { name: 'First' }, after: { name: 'Opening' } });
    expect(rows[2]?.after).toMatchObject({ terms: ['hours'], pins: [{ rank: 1, documentId: 'x', url: '/' }] });
  });

  test('of a synonym group is in the audit log, too', async () => {
    const customerId = newCustomer();
    const { id } = await store.addSynonymGroup({ customerId, language: 'en', words: ['a'] }, BY);
    await store.replaceSynonymGroup({ customerId, id, language: 'en', words: ['a'] }, BY);
    await store.replaceSynonymGroup({ customerId, id, language: 'en', words: ['a', 'b'] }, BY);
    await store.removeSynonymGroups(customerId, [id], BY);

    const rows = (await store.listAudit({ limit: 9 })).entries.filter(
      ({ target }) => target === `customer:${customerId}/synonym-group:${id}`,
    );

    expect(rows.map(({ action }) => action)).toEqual([
      'remove-synonym-group',
      'change-synonym-group',
      'add-synonym-group',
    ]);
    expect(rows[1]).toMatchObject({ before: { words: ['a'] }, after: { words: ['a', 'b'] } });
  });

  test('that was made from another record than the present one changes nothing', async () => {
    const customerId = newCustomer();
    const seen = await store.addTool('banner', banner(), ofCustomer(customerId));
    const key = { customerId, id: seen.id };
    const present = await store.replaceTool('banner', { ...key, draft: banner({ name: 'Newer' }) }, { ...BY, seen });
    const late = { ...BY, seen };

    const changed = expect.objectContaining({ code: 'record.changed' });
    await expect(store.replaceTool('banner', { ...key, draft: banner() }, late)).rejects.toEqual(changed);
    await expect(store.removeTool('banner', key, late)).rejects.toEqual(changed);
    expect(await store.findTool('banner', key)).toEqual(present);
  });
});

describe('what a check finds broken', () => {
  test('is told with the time at which it was found first, until the tool is whole or replaced', async () => {
    const customerId = newCustomer();
    const engineId = 1_000 + customerId;
    const draft = quicklink({ engineId });
    const [one, two] = [
      await store.addTool('quicklink', draft, ofCustomer(customerId)),
      await store.addTool('quicklink', draft, ofCustomer(customerId)),
    ];
    const found = async () => (await store.listTools('quicklink', { customerId })).map(({ broken }) => broken);
    const brokenOf = ({ id }: { readonly id: number }) => ({ kind: 'quicklink' as const, id, targets: ['/contact'] });

    expect(await store.toolsCheckedAt(engineId)).toBeUndefined();
    await store.noteBrokenTools(engineId, [brokenOf(one), brokenOf(two)], 20);
    await store.noteBrokenTools(engineId, [brokenOf(one), brokenOf(two)], 30);
    expect(await found()).toEqual([
      { foundAt: 20, targets: ['/contact'] },
      { foundAt: 20, targets: ['/contact'] },
    ]);
    expect(await store.countBrokenTools()).toContainEqual({ engineId, tools: 2 });
    await store.replaceTool('quicklink', { customerId, id: two.id, draft }, BY);
    expect((await found())[1]).toBeUndefined();
    expect(await store.countBrokenTools()).toContainEqual({ engineId, tools: 1 });
    await store.noteBrokenTools(engineId, [], 40);
    expect(await found()).toEqual([undefined, undefined]);
    expect(await store.toolsCheckedAt(engineId)).toBe(40);
  });
});

test('an engine takes its hidden pages with it', async () => {
  const [customerId, engineId] = [newCustomer(), 5_000];
  const engine = { kind: 'put-engine', id: engineId, customerId, name: 'E', language: 'en' } as const;
  await store.changeRecords('test', [{ kind: 'put-customer', id: customerId, name: 'C' }], 1);
  await store.changeRecords('test', [{ ...engine, settings: ENGINE_DEFAULTS, publicSettings: PUBLIC_DEFAULTS }], 1);
  await store.addTool('hidden-page', hidden({ engineId }), ofCustomer(customerId));
  await store.noteBrokenTools(engineId, [], 9);

  await store.changeRecords('test', [{ kind: 'remove-engine', id: engineId }], 2);

  expect(await store.listTools('hidden-page', { customerId })).toEqual([]);
  expect(await store.toolsCheckedAt(engineId)).toBeUndefined();
});
