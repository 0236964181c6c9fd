import { describe, expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import type { PublicSettings } from '../../src/core/records.ts';
import { BASIC, SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

const PATH = '/api/v3/3/6/websites/publicsettings';

const ask = (product: Product, headers = {}) =>
  product.send({ path: PATH, headers: { authorization: SITE_KEY, ...headers } });

async function startWith(changes: Partial<PublicSettings>): Promise<Product> {
  const product = await startProduct();
  await product.changeRecords({
    kind: 'put-engine',
    id: 6,
    customerId: 3,
    name: 'Main',
    language: 'en',
    settings: ENGINE_DEFAULTS,
    publicSettings: { ...PUBLIC_DEFAULTS, ...changes },
  });
  return product;
}

describe('public settings', () => {
  test('64: are exactly the members of contract 7', async () => {
    await using product = await startWith({
      customEngineSettings: { colour: 'blue' },
      quotas: { searches: 1_000 },
      instantSuggestions: { suggestions: ['returns', 'opening hours'], limit: 1, showRecentSearches: true },
    });

    const { status, headers, body } = await ask(product);

    expect(status).toBe(200);
    expect(body).toEqual({
      enableGoogleAnalyticsIntegration: false,
      enableSiteimproveAnalyticsIntegration: false,
      optOutCookieTracking: false,
      enableAnonymousTracking: false,
      Engines: [6],
      quicklinks: [],
      customEngineSettings: '{"colour":"blue"}',
      configurations: {},
      subscriptionDigest: { features: expect.arrayContaining(['instant suggestions']), quotas: { searches: 1_000 } },
      instantSuggestionsConfiguration: expect.any(String),
      language: 'en',
    });
    expect(JSON.parse(body.instantSuggestionsConfiguration)).toEqual({
      suggestions: ['returns', 'opening hours'],
      limit: 1,
      showRecentSearches: true,
    });
    expect(headers['cache-control']).toBe('public, max-age=60');
  });

  test('of a new engine list all that this installation provides', async () => {
    await using product = await startWith({});

    expect((await ask(product)).body.subscriptionDigest).toEqual({
      features: [
        'sayt',
        'instant suggestions',
        'related searches',
        'audiences',
        'banner statistics',
        'time-scheduled banners',
        'device analytics',
      ],
      quotas: {},
    });
  });

  test('show an empty suggestion configuration without the feature', async () => {
    await using product = await startWith({
      subscriptionFeatures: ['sayt'],
      instantSuggestions: { suggestions: ['hidden'], limit: 5, showRecentSearches: true },
    });

    const { body } = await ask(product);

    expect(body).toMatchObject({
      instantSuggestionsConfiguration: '{"suggestions":[],"limit":0,"showRecentSearches":false}',
    });
  });

  test('64: need a SiteKey', async () => {
    await using product = await startProduct();
    expect((await ask(product, { authorization: BASIC })).status).toBe(401);
    expect((await ask(product, { authorization: undefined })).status).toBe(401);
  });

  test('64: are not sent again while their tag is the same', async () => {
    await using product = await startProduct();
    const tag = (await ask(product)).headers.etag;

    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, body, headers } = await ask(product, { 'if-none-match': value });
      expect([status, body, headers.etag]).toEqual([304, '', tag]);
    }
    expect((await ask(product, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('79: list the quicklinks of the engine, and then have another tag', async () => {
    await using product = await startProduct();
    const before = await ask(product);
    const quicklink = { url: '/contact', websiteid: 6, terms: ['contact'] };
    const { id } = (await product.post('/api/quicklinks', quicklink)).body;
    await product.post('/api/quicklinks', { ...quicklink, websiteid: 7 });

    const after = await ask(product);

    expect(after.body).toMatchObject({
      quicklinks: [{ id, url: '/contact', websiteid: 6, terms: [{ name: 'contact' }] }],
    });
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });
});
