import { expect, test } from 'vitest';
import {
  type CustomerTools,
  customerTools,
  placementOf,
  shownBanners,
} from '../../../src/search-tools/tool-snapshot.ts';
import type { Banner, Pin, Ranking } from '../../../src/storage/system/tools.ts';

// Contract: 2.10.
const NOW = Date.parse('2026-06-15T12:00:00Z');
const ASKED = { engineId: 6, query: 'solar', traits: [] };

function banner(changes: Partial<Banner> & { readonly term?: string } = {}): Banner {
  const { term = 'solar', ...rest } = changes;
  return {
    id: 1,
    customerId: 3,
    engineId: 6,
    name: 'Sale',
    html: '<b>Sale</b>',
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
    terms: [{ id: 1, name: term }],
    managedBy: undefined,
    broken: undefined,
    ...rest,
  };
}

function tools(banners: readonly Banner[], rankings: readonly Ranking[] = []): CustomerTools {
  return customerTools({ banners, rankings, quicklinks: [], hiddenPages: [], synonymGroups: [] });
}

test.each([
  ['its term', {}, {}, true],
  ['its term in another case, with blanks', {}, { query: '  SOLAR ' }, true],
  ['a word of its term only', {}, { query: 'solar panels' }, false],
  ['a term with wildcards', { term: 's?lar *' }, { query: 'Solar \t panels' }, true],
  ['another engine', {}, { engineId: 7 }, false],
  ['a further engine', { engineIds: [6, 7] }, { engineId: 7 }, true],
  ['its own engine, though only others are listed', { engineIds: [7] }, {}, true],
  ['disabled', { disabled: true }, {}, false],
  ['before its time', { from: '2026-06-15T12:00:01Z' }, {}, false],
  ['at the first moment', { from: '2026-06-15T12:00:00.000Z' }, {}, true],
  ['at the last moment', { to: '2026-06-15T14:00:00+02:00' }, {}, true],
  ['after its time', { to: '2026-06-15T11:59:59.999Z' }, {}, false],
  ['an empty audience', { audiences: [] }, {}, true],
  ['a visitor without traits', { audiences: ['vip'] }, {}, false],
  ['a visitor of the audience', { audiences: ['guest', 'VIP'] }, { traits: ['x', 'vip'] }, true],
  ['a visitor of another audience', { audiences: ['vip'] }, { traits: ['vips', 'v'] }, false],
  ['a number as audience', { audiences: [7] }, { traits: ['7'] }, true],
  ['an object as audience', { audiences: [{ id: 1 }] }, { traits: ['[object Object]', '1'] }, false],
  ['no term', { terms: [] }, {}, false],
  [
    'no term, for a visitor of the audience',
    { terms: [], audiences: ['vip'] },
    { traits: ['Vip'], query: 'any' },
    true,
  ],
  ['no term, for another visitor', { terms: [], audiences: ['vip'] }, { query: 'any' }, false],
])('a banner with %s', (_what, changes, asked, isShown) => {
  const shown = shownBanners(tools([banner(changes)]), { ...ASKED, ...asked }, NOW);

  expect(shown.length > 0).toBe(isShown);
});

test('banners come by ascending id, each once', () => {
  const terms = [
    { id: 1, name: 'solar' },
    { id: 2, name: 'SOLAR' },
    { id: 3, name: '*' },
  ];
  const all = [
    banner({ id: 2, terms }),
    banner({ id: 5, term: '*' }),
    banner({ id: 9, terms: [], audiences: ['vip'] }),
    banner({ id: 10 }),
  ];

  const shown = shownBanners(tools(all), { ...ASKED, traits: ['vip'] }, NOW);

  expect(shown.map(({ id }) => id)).toEqual([2, 5, 9, 10]);
});

test('rankings of the query, engine and visitor place pages, lower ids first', () => {
  const pin = (documentId: string, rank: number, shown = true): Pin => {
    const page = { name: '', documentId, url: '', searchable: true, engineId: 6 };
    return { id: 1, engineId: 6, rank, shown, page };
  };
  const ranking = (id: number, pins: readonly Pin[], changes: Partial<Ranking> = {}): Ranking => ({
    id,
    customerId: 3,
    engineId: 6,
    name: '',
    audiences: undefined,
    managedBy: undefined,
    broken: undefined,
    pins,
    terms: [{ id: 1, name: 'so*' }],
    ...changes,
  });
  const rankings = [
    ranking(1, [pin('b', 2), pin('x', 1, false)]),
    ranking(2, [pin('vip', 1)], { audiences: ['vip'] }),
    ranking(3, [pin('other', 1)], { engineId: 7 }),
    ranking(4, [pin('word', 1)], { terms: [{ id: 1, name: 'wind' }] }),
    ranking(5, [pin('a', 1), pin('y', 1, false)]),
  ];

  expect(placementOf(tools([], rankings), ASKED)).toEqual({
    pins: [
      { id: 'b', rank: 2 },
      { id: 'a', rank: 1 },
    ],
    removed: ['x', 'y'],
  });
});
