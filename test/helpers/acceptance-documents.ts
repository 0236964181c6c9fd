import type { StoredDocument } from '../../src/core/document.ts';
import { storedDocument } from './stored-documents.ts';

type Row = readonly [rid: number, path: string, title: string, category: string | readonly string[], content: string];

const ROWS: readonly Row[] = [
  [1, 'solar', 'Solar panels guide', 'Guides', 'Solar panels turn sunlight into power. A panel lasts 25 years.'],
  [2, 'wind', 'Wind turbines guide', 'Guides', 'Wind turbines turn moving air into power.'],
  [3, 'news/1', 'Solar park opens', 'News', 'A new solar park opened near the harbour.'],
  [4, 'news/2', 'Heat pump grants', 'News', 'Grants for heat pumps are open.'],
  [5, 'files/manual.pdf', 'Inverter manual', 'Manuals', 'The inverter feeds solar power to the grid.'],
  [6, 'battery', 'Battery', ['Products', 'Guides'], 'Battery storage for homes & offices.'],
];
const DATES = [
  '2026-01-10',
  '2026-02-10T08:00:00Z',
  '2026-03-01',
  '2025-12-31T23:30:00+01:00',
  '2024-06-01',
  '2026-01-11',
];
const PLACES: Readonly<Record<number, string>> = { 1: '55.6761,12.5683', 2: '57.0488,9.9217' };

/** Documents d1 to d6 of the acceptance cases (contract 12); rids 1 to 6. */
export const ACCEPTANCE_DOCUMENTS: readonly StoredDocument[] = ROWS.map(([rid, path, title, category, content]) => {
  const url = `https://example.com/${path}`;
  const place = PLACES[rid];
  return storedDocument({
    rid,
    id: rid === 6 ? 'item-6' : url,
    kind: rid === 5 ? 'FileContent' : 'PageContent',
    fields: {
      Title: title,
      Url: url,
      Category: category,
      Price_number: String(rid * 10),
      Published_date: DATES[rid - 1]!,
      ...(place === undefined ? {} : { Place_geo_point: place }),
      Content: content,
    },
  });
});
