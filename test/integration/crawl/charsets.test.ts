import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

type Charset = {
  readonly path: string;
  readonly type: string;
  readonly meta?: string;
  /** Encodes title and text. */
  readonly bytes: Uint8Array;
  readonly title: string;
};

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
/** Too short to be told to be the duplicate of another page. */
const repeated = (word: Uint8Array) =>
  Buffer.concat(Array.from({ length: 20 }, () => Buffer.concat([word, bytes('20')])));

const PAGES: readonly Charset[] = [
  { path: '/utf-8', type: 'text/html; charset=utf-8', bytes: Buffer.from('Grüße'), title: 'Grüße' },
  { path: '/undeclared', type: 'text/html', bytes: Buffer.from('Grüße'), title: 'Grüße' },
  { path: '/latin-1', type: 'text/html; charset=iso-8859-1', bytes: bytes('47 72 fc df 65'), title: 'Grüße' },
  {
    path: '/windows-1252',
    type: 'text/html',
    meta: 'windows-1252',
    bytes: bytes('93 47 72 fc df 65 94'),
    title: '“Grüße”',
  },
  { path: '/says-utf-8', type: 'text/html; charset=utf-8', bytes: bytes('47 72 fc df 65'), title: 'Grüße' },
  {
    path: '/says-latin',
    type: 'text/html; charset=iso-8859-1',
    bytes: Buffer.from('日本語のページ'),
    title: '日本語のページ',
  },
  {
    path: '/windows-1251',
    type: 'text/html; charset=windows-1251',
    bytes: bytes('cf f0 e8 e2 e5 f2'),
    title: 'Привет',
  },
  { path: '/koi8-r', type: 'text/html', meta: 'koi8-r', bytes: bytes('f0 d2 c9 d7 c5 d4'), title: 'Привет' },
  {
    path: '/shift-jis',
    type: 'text/html; charset=Shift_JIS',
    bytes: bytes('82b1 82f1 82c9 82bf 82cd'),
    title: 'こんにちは',
  },
  { path: '/gbk', type: 'text/html', meta: 'gb2312', bytes: bytes('c4e3 bac3'), title: '你好' },
  { path: '/euc-kr', type: 'text/html; charset="euc-kr"', bytes: bytes('be c8 b3 e7'), title: '안녕' },
  { path: '/klingon', type: 'text/html; charset=klingon-1', bytes: Buffer.from('Grüße'), title: 'Grüße' },
];

const bodyOf = ({ meta, bytes: word }: Charset): Buffer =>
  Buffer.concat([
    Buffer.from(`<!doctype html><html><head>${meta === undefined ? '' : `<meta charset="${meta}">`}<title>`),
    word,
    Buffer.from('</title></head><body><main><h1>'),
    word,
    Buffer.from('</h1><p>'),
    repeated(word),
    Buffer.from('</p></main></body></html>'),
  ]);

const utf16 = Buffer.concat([bytes('fffe'), Buffer.from(page('Grüße').body, 'utf16le')]);

test('pages are read in the charset they are in, declared rightly, wrongly or not at all', async () => {
  await using site = await startSiteServer({
    '/': page('Home', [...PAGES.map(({ path }) => path), '/utf-16']),
    '/utf-16': { headers: { 'content-type': 'text/html' }, body: utf16 },
    ...Object.fromEntries(
      PAGES.map((charset) => [charset.path, { headers: { 'content-type': charset.type }, body: bodyOf(charset) }]),
    ),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  const documents = await crawl.store.listDocuments({ crawlerId: crawl.crawlerId, after: 0, limit: 100 });
  const read = await crawl.store.readDocuments(documents.map(({ rid }) => rid));
  const titles = Object.fromEntries(
    read.flatMap((found) => (found ? [[new URL(found.id).pathname, firstValue(found.fields, 'Title')]] : [])),
  );
  expect(titles).toEqual({
    '/': 'Home',
    '/utf-16': 'Grüße',
    ...Object.fromEntries(PAGES.map(({ path, title }) => [path, title])),
  });
});
