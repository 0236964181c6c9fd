import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemSql } from '../../src/storage/sql/statement.ts';
import { openForReading } from '../../src/storage/sqlite/sqlite-database.ts';
import type { BannerDraft, QuicklinkDraft, RankingDraft, ToolStore } from '../../src/storage/system/tools.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';

let system: OpenSystem;
let store: ToolStore;
let nextCustomerId = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

const newCustomer = () => nextCustomerId++;
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

    const stored = await store.addTool('banner', customerId, full);
    const found = await store.findTool('banner', { customerId, id: stored.id });

    const { terms: _, ...members } = full;
    expect(found).toEqual({ ...members, id: stored.id, customerId, terms: stored.terms });
    expect(found).toEqual(stored);
    expect(stored.terms.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('of a ranking hold their pins in order', async () => {
    const customerId = newCustomer();
    const stored = await store.addTool('ranking', customerId, ranking({ pins: [pin('z'), pin('y')] }));

    const found = await store.findTool('ranking', { customerId, id: stored.id });

    expect(found?.pins.map(({ page }) => page.documentId)).toEqual(['z', 'y']);
    expect(found).toEqual(stored);
  });

  test('get growing ids that are never given again, also after removal', async () => {
    const customerId = newCustomer();
    const first = await store.addTool('quicklink', customerId, quicklink({ terms: [term('a')] }));
    await store.removeTool('quicklink', { customerId, id: first.id });

    const second = await store.addTool('quicklink', customerId, quicklink({ terms: [term('a')] }));

    expect(second.id).toBeGreaterThan(first.id);
    expect(second.terms[0]!.id).toBeGreaterThan(first.terms[0]!.id);
  });

  test('ignore wishes for part ids when they are new', async () => {
    const customerId = newCustomer();
    const other = await store.addTool('quicklink', customerId, quicklink({ terms: [term('a')] }));

    const stored = await store.addTool('quicklink', customerId, quicklink({ terms: [term('b', other.terms[0]!.id)] }));

    expect(stored.terms[0]!.id).toBeGreaterThan(other.terms[0]!.id);
    expect(await store.findTool('quicklink', { customerId, id: other.id })).toEqual(other);
  });
});

describe('a replacement', () => {
  test('keeps the ids of repeated parts, gives others new ones and drops the rest', async () => {
    const customerId = newCustomer();
    const draft = ranking({ terms: [term('one'), term('two')], pins: [pin('x'), pin('y')] });
    const before = await store.addTool('ranking', customerId, draft);
    const [one, two] = before.terms;
    const [, y] = before.pins;

    const after = await store.replaceTool(
      'ranking',
      { customerId, id: before.id },
      {
        ...ranking({ name: 'Renamed', engineId: 7 }),
        terms: [term('zero'), term('TWO', two!.id), term('again', two!.id)],
        pins: [pin('Y', y!.id)],
      },
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
    const replaced = await store.replaceTool('banner', { customerId, id: 999_999 }, banner({ terms: [term('a')] }));

    expect(replaced).toBeUndefined();
    const read = openForReading(join(system.dataDir, 'system.db'));
    expect(
      read.all(systemSql.selectFrom('banner_terms').selectAll().where('parent_id', '=', 999_999).compile()),
    ).toEqual([]);
    read.close();
  });
});

describe('records of another customer', () => {
  test('are as those that do not exist', async () => {
    const owner = newCustomer();
    const other = newCustomer();
    const { id } = await store.addTool('banner', owner, banner());

    expect(await store.findTool('banner', { customerId: other, id })).toBeUndefined();
    expect(await store.replaceTool('banner', { customerId: other, id }, banner({ name: 'Mine' }))).toBeUndefined();
    expect(await store.removeTool('banner', { customerId: other, id })).toBe(false);
    expect(await store.listTools('banner', { customerId: other })).toEqual([]);
    expect((await store.findTool('banner', { customerId: owner, id }))?.name).toBe('Sale');
  });
});

test('lists ascend by id and hold one engine or all of the customer', async () => {
  const customerId = newCustomer();
  const ids: number[] = [];
  for (const engineId of [7, 6, 7]) ids.push((await store.addTool('banner', customerId, banner({ engineId }))).id);

  const all = await store.listTools('banner', { customerId });
  const seven = await store.listTools('banner', { customerId, engineId: 7 });

  expect(all.map(({ id }) => id)).toEqual(ids);
  expect(seven.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
});

test('a removed record is gone with its parts', async () => {
  const customerId = newCustomer();
  const { id } = await store.addTool('ranking', customerId, ranking({ terms: [term('a')], pins: [pin('x')] }));

  expect(await store.removeTool('ranking', { customerId, id })).toBe(true);
  expect(await store.removeTool('ranking', { customerId, id })).toBe(false);
  expect(await store.findTool('ranking', { customerId, id })).toBeUndefined();
});

describe('synonym groups', () => {
  test('come back as stored, one by one and by language in any case', async () => {
    const customerId = newCustomer();
    const english = await store.addSynonymGroup({ customerId, language: 'en', words: ['power', 'electricity'] });
    const american = await store.addSynonymGroup({ customerId, language: 'en-US', words: ['gas'] });

    expect(await store.findSynonymGroup({ customerId, id: english.id })).toEqual(english);
    expect(await store.listSynonymGroups(customerId, 'EN')).toEqual([english]);
    expect(await store.listSynonymGroups(customerId, 'en-us')).toEqual([american]);
    expect(await store.listSynonymGroups(customerId)).toEqual([english, american]);
    expect(await store.listSynonymGroups(customerId, 'da')).toEqual([]);
  });

  test('are replaced by their owner only', async () => {
    const customerId = newCustomer();
    const group = await store.addSynonymGroup({ customerId, language: 'en', words: ['a'] });
    const changed = { ...group, language: 'da', words: ['b', 'c'] };

    expect(await store.replaceSynonymGroup({ ...changed, customerId: newCustomer() })).toBeUndefined();
    expect(await store.findSynonymGroup({ customerId, id: group.id })).toEqual(group);
    expect(await store.replaceSynonymGroup(changed)).toEqual(changed);
    expect(await store.findSynonymGroup({ customerId, id: group.id })).toEqual(changed);
  });

  test('are removed together; ids of others and unknown ids are left out', async () => {
    const customerId = newCustomer();
    const other = await store.addSynonymGroup({ customerId: newCustomer(), language: 'en', words: ['x'] });
    const a = await store.addSynonymGroup({ customerId, language: 'en', words: ['a'] });
    const b = await store.addSynonymGroup({ customerId, language: 'en', words: ['b'] });

    expect(await store.removeSynonymGroups(customerId, [b.id, other.id, 999_999, a.id])).toEqual([a.id, b.id]);
    expect(await store.listSynonymGroups(customerId)).toEqual([]);
    expect(await store.findSynonymGroup({ customerId: other.customerId, id: other.id })).toEqual(other);
    const next = await store.addSynonymGroup({ customerId, language: 'en', words: ['c'] });
    expect(next.id).toBeGreaterThan(b.id);
  });
});
