import { ENGINE_SETTINGS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { digestOf } from '../../src/accounts/manage-keys.ts';
import type { RecordChange } from '../../src/storage/system/accounts.ts';

/** `SiteKey` of customer 3, engine 6. */
export const SITE_KEY = 'SiteKey Mzo2OlNlYXJjaEtleQ==';
/** `Basic` of customer 3. */
export const BASIC = 'Basic MzprZXktMy1leGFtcGxl';
/** `Basic` of customer 4. */
export const BASIC_4 = basicOf(4, 'key-4-example');

export function basicOf(customerId: number, key: string): string {
  return `Basic ${Buffer.from(`${customerId}:${key}`).toString('base64')}`;
}

export function siteKeyOf(customerId: number, engineId: number): string {
  return `SiteKey ${Buffer.from(`${customerId}:${engineId}:SearchKey`).toString('base64')}`;
}

/** The records of contract 12. */
export const FIXTURE_RECORDS: readonly RecordChange[] = [
  { kind: 'put-customer', id: 3, name: 'Three' },
  { kind: 'put-customer', id: 4, name: 'Four' },
  key(3, 'key-3-example'),
  key(4, 'key-4-example'),
  engine(6, 3, { aiEnabled: true, features: ['AiChat'], page: { published: true } }),
  engine(7, 3, {}),
  engine(8, 4, {}),
  { kind: 'put-crawler', id: 17, engineId: 6, name: 'Site', config: {} },
  { kind: 'put-crawler', id: 18, engineId: 7, name: 'Idle', config: {} },
  { kind: 'put-crawler', id: 19, engineId: 8, name: 'Other', config: {} },
  { kind: 'set-crawler-active', id: 17, active: true },
];

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The documents of contract 12, all in crawler 17. */
export const FIXTURE_DOCUMENTS = [
  page('https://example.com/solar', {
    Title: 'Solar panels guide',
    Category: 'Guides',
    Price_number: '10',
    Published_date: '2026-01-10',
    Place_geo_point: '55.6761,12.5683',
    Content: 'Solar panels turn sunlight into power. A panel lasts 25 years.',
  }),
  page('https://example.com/wind', {
    Title: 'Wind turbines guide',
    Category: 'Guides',
    Price_number: '20',
    Published_date: '2026-02-10T08:00:00Z',
    Place_geo_point: '57.0488,9.9217',
    Content: 'Wind turbines turn moving air into power.',
  }),
  page('https://example.com/news/1', {
    Title: 'Solar park opens',
    Category: 'News',
    Price_number: '30',
    Published_date: '2026-03-01',
    Content: 'A new solar park opened near the harbour.',
  }),
  page('https://example.com/news/2', {
    Title: 'Heat pump grants',
    Category: 'News',
    Price_number: '40',
    Published_date: '2025-12-31T23:30:00+01:00',
    Content: 'Grants for heat pumps are open.',
  }),
  {
    ...page('https://example.com/files/manual.pdf', {
      Title: 'Inverter manual',
      Category: 'Manuals',
      Price_number: '50',
      Published_date: '2024-06-01',
      Content: 'The inverter feeds solar power to the grid.',
    }),
    type: 'FileContent',
  },
  {
    id: 'item-6',
    fields: {
      Title: 'Battery',
      Url: 'https://example.com/battery',
      Category: ['Products', 'Guides'],
      Price_number: '60',
      Published_date: '2026-01-11',
      Content: 'Battery storage for homes & offices.',
    },
  },
] as const;

/** Ids of d1 to d6. */
export const [D1, D2, D3, D4, D5, D6] = FIXTURE_DOCUMENTS.map(({ id }) => id) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

function page(url: string, fields: Fields) {
  return { id: url, fields: { Url: url, ...fields } };
}

function key(customerId: number, value: string): RecordChange {
  return { kind: 'add-key', customerId, name: 'main', sha256: digestOf(value), last4: '' };
}

function engine(id: number, customerId: number, settings: object): RecordChange {
  return {
    kind: 'put-engine',
    id,
    customerId,
    name: `Engine ${id}`,
    language: 'en',
    settings: ENGINE_SETTINGS.parse(settings),
    publicSettings: PUBLIC_DEFAULTS,
  };
}
