import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUrlList } from '../../../src/extract/lists/read-url-list.ts';
import { listTime, type UrlListEnd, type UrlListEntry } from '../../../src/extract/lists/url-list.ts';

const SITE = 'https://site.example';

async function* split(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(body: string | Uint8Array, size = 100_000): Promise<{ entries: UrlListEntry[]; end: UrlListEnd }> {
  const batches = readUrlList(split(Buffer.from(body as string), size), `${SITE}/list.xml`);
  const entries: UrlListEntry[] = [];
  for (;;) {
    const step = await batches.next();
    if (step.done === true) return { entries, end: step.value };
    entries.push(...step.value);
  }
}

const urlsOf = async (body: string | Uint8Array) => (await read(body)).entries.map(({ url }) => url);

const urlset = (inner: string) => `<?xml version="1.0"?><urlset>${inner}</urlset>`;

test.each<[string, string | Uint8Array, string[]]>([
  ['a sitemap', urlset(`<url><loc> ${SITE}/a </loc></url>`), [`${SITE}/a`]],
  [
    'an address with an entity and one in CDATA',
    urlset(`<url><loc>${SITE}/a?x=1&amp;y</loc></url><url><loc><![CDATA[${SITE}/b]]></loc></url>`),
    [`${SITE}/a?x=1&y`, `${SITE}/b`],
  ],
  [
    'prefixed elements',
    `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>${SITE}/a</sm:loc></sm:url></sm:urlset>`,
    [`${SITE}/a`],
  ],
  [
    'images and videos, which are no pages',
    urlset(`<url><loc>${SITE}/a</loc><image:image><image:loc>${SITE}/i.png</image:loc></image:image></url>`),
    [`${SITE}/a`],
  ],
  [
    'alternates',
    urlset(`<url><loc>${SITE}/a</loc><xhtml:link rel="alternate" hreflang="de" href="${SITE}/de"/></url>`),
    [`${SITE}/a`, `${SITE}/de`],
  ],
  [
    'relative and foreign schemes',
    urlset('<url><loc>/a</loc></url><url><loc>ftp://site.example/b</loc></url>'),
    [`${SITE}/a`],
  ],
  [
    'another charset',
    Buffer.from(
      `<?xml version="1.0" encoding="iso-8859-1"?><urlset><url><loc>${SITE}/\xe9</loc></url></urlset>`,
      'latin1',
    ),
    [`${SITE}/%C3%A9`],
  ],
  ['gzip', gzipSync(urlset(`<url><loc>${SITE}/a</loc></url>`)), [`${SITE}/a`]],
  ['lines', `\ufeff${SITE}/a\r\n\r\n${SITE}/b`, [`${SITE}/a`, `${SITE}/b`]],
  [
    'RSS with a link',
    `<rss><channel><link>${SITE}/</link><item><link>${SITE}/a</link><guid>${SITE}/g</guid></item></channel></rss>`,
    [`${SITE}/a`],
  ],
  [
    'RSS with nothing but a permanent guid',
    `<rss><channel><item><guid>${SITE}/g</guid></item><item><guid isPermaLink="false">x</guid></item></channel></rss>`,
    [`${SITE}/g`],
  ],
  ['RSS 1.0', `<rdf:RDF xmlns:rdf="r"><item rdf:about="x"><link>${SITE}/a</link></item></rdf:RDF>`, [`${SITE}/a`]],
  [
    'Atom',
    `<feed><link href="${SITE}/"/><entry><link rel="enclosure" href="${SITE}/e.mp3"/><link href="/a"/></entry></feed>`,
    [`${SITE}/a`],
  ],
  ['JSON Feed', `{"items":[{"url":"${SITE}/a"},{"id":"2"}]}`, [`${SITE}/a`]],
])('%s', async (_name, body, urls) => {
  expect(await urlsOf(body)).toEqual(urls);
});

test('an index names lists', async () => {
  const { entries, end } = await read(`<sitemapindex><sitemap><loc>${SITE}/a.xml</loc></sitemap></sitemapindex>`);

  expect(entries).toEqual([{ url: `${SITE}/a.xml`, at: undefined, isSitemap: true }]);
  expect(end).toEqual({ format: 'index', entries: 1, cut: undefined });
});

test.each<[string, string]>([
  ['a page', '<!doctype html><html><body><a href="/a">a</a></body></html>'],
  ['an error as text', 'Not found'],
  ['nothing', ''],
  ['JSON of another kind', '{"a":1}'],
  ['XML of another kind', '<svg><url><loc>https://site.example/a</loc></url></svg>'],
])('%s is no list', async (_name, body) => {
  const { entries, end } = await read(body);

  expect(entries).toEqual([]);
  expect(end.format).toBe('unknown');
});

test('entities of a DTD are not known', async () => {
  const body = `<!DOCTYPE u [<!ENTITY x "y"><!ENTITY f SYSTEM "file:///etc/passwd">]>${urlset(`<url><loc>${SITE}/&x;&f;</loc></url>`)}`;

  for (const url of await urlsOf(body)) expect(url).not.toMatch(/root:|\/y/);
});

test.each<[string, number | undefined]>([
  ['2024-05-01T10:00:00Z', Date.parse('2024-05-01T10:00:00.999Z')],
  ['2024-05-01T10:00:00.5+02:00', Date.parse('2024-05-01T08:00:00.500Z')],
  // Until the day has ended everywhere.
  ['2024-05-01', Date.parse('2024-05-02T11:59:59.999Z')],
  ['Wed, 01 May 2024 10:00:00 GMT', Date.parse('2024-05-01T10:00:00.999Z')],
  ['yesterday', undefined],
  ['', undefined],
])('the time %s', (text, at) => {
  expect(listTime(text)).toBe(at);
});

test('any split of the bytes gives the same entries', async () => {
  const paths = fc.array(fc.webPath(), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(paths, fc.integer({ min: 1, max: 50 }), fc.boolean(), async (names, size, zipped) => {
      const xml = urlset(
        names
          .map((name) => `<url><loc>${SITE}/${encodeURI(name)}</loc></url>`)
          .join('')
          .replaceAll('&', '&amp;'),
      );
      const body = zipped ? gzipSync(xml) : Buffer.from(xml);

      expect(await read(body, size)).toEqual(await read(body));
    }),
    { numRuns: 50 },
  );
});

test('no bytes make it throw', async () => {
  const start = fc.constantFrom('', '<urlset><url><loc>', '<rss><channel><item>', '{"items":[', '\x1f\x8b\x08');
  await fc.assert(
    fc.asyncProperty(start, fc.uint8Array({ maxLength: 2_000 }), async (text, rest) => {
      await read(Buffer.concat([Buffer.from(text, 'latin1'), rest]), 100);
    }),
    { numRuns: 200 },
  );
});
