import { describe, expect, test } from 'vitest';
import { BASIC, SITE_KEY, startToolsEdge } from '../helpers/tools-edge.ts';

const PATH = '/api/v3/3/6/websites/publicsettings';

describe('public settings', () => {
  test('64: are exactly the members of contract 7', async () => {
    await using edge = await startToolsEdge({
      customEngineSettings: { colour: 'blue' },
      quotas: { searches: 1_000 },
      instantSuggestions: { suggestions: ['returns', 'opening hours'], limit: 1, showRecentSearches: true },
    });

    const { status, headers, body } = await edge.call('GET', PATH, { auth: SITE_KEY });

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
    expect(JSON.parse((body as { instantSuggestionsConfiguration: string }).instantSuggestionsConfiguration)).toEqual({
      suggestions: ['returns', 'opening hours'],
      limit: 1,
      showRecentSearches: true,
    });
    expect(headers.get('cache-control')).toBe('public, max-age=60');
  });

  test('show an empty suggestion configuration without the feature', async () => {
    await using edge = await startToolsEdge({
      subscriptionFeatures: ['sayt'],
      instantSuggestions: { suggestions: ['hidden'], limit: 5, showRecentSearches: true },
    });

    const { body } = await edge.call('GET', PATH, { auth: SITE_KEY });

    expect(body).toMatchObject({
      instantSuggestionsConfiguration: '{"suggestions":[],"limit":0,"showRecentSearches":false}',
    });
  });

  test('64: need a SiteKey', async () => {
    await using edge = await startToolsEdge();
    expect((await edge.call('GET', PATH, { auth: BASIC })).status).toBe(401);
    expect((await edge.call('GET', PATH)).status).toBe(401);
  });

  test('64: are not sent again while their tag is the same', async () => {
    await using edge = await startToolsEdge();
    const tag = (await edge.call('GET', PATH, { auth: SITE_KEY })).headers.get('etag') ?? '';
    const ask = (value: string) => edge.call('GET', PATH, { auth: SITE_KEY, headers: { 'If-None-Match': value } });

    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await ask(value);
      expect([status, text, headers.get('etag')]).toEqual([304, '', tag]);
    }
    expect((await ask('"other"')).status).toBe(200);
  });

  test('79: list the quicklinks of the engine, and then have another tag', async () => {
    await using edge = await startToolsEdge();
    const before = await edge.call('GET', PATH, { auth: SITE_KEY });
    const quicklink = { url: '/contact', websiteid: 6, terms: ['contact'] };
    const { id } = (await edge.call('POST', '/api/quicklinks', { auth: BASIC, body: quicklink })).body as {
      id: number;
    };
    await edge.call('POST', '/api/quicklinks', { auth: BASIC, body: { ...quicklink, websiteid: 7 } });

    const after = await edge.call('GET', PATH, { auth: SITE_KEY });

    expect(after.body).toMatchObject({
      quicklinks: [{ id, url: '/contact', websiteid: 6, terms: [{ name: 'contact' }] }],
    });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });
});
