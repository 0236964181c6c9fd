import { expect, test } from 'vitest';
import { knownId, matchRoute, ROUTE_TABLE } from '../../../src/api/route-table.ts';

test.each([
  ['POST', '/api/v4/3/6/search', '/api/v4/3/6/search'],
  ['POST', '/API/V4/3/6/Search/', '/api/v4/3/6/search'],
  ['POST', '/api/v4/3/6//search', '/api/v4/3/6/search'],
  ['POST', '//api/v3/3/6/search//', '/api/v3/3/6/search'],
  ['POST', '/api/v4/3/6/se%61rch?casing=camel', '/api/v4/3/6/search?casing=camel'],
  ['POST', 'http://search.example.com/api/v4/3/6/search', '/api/v4/3/6/search'],
  ['POST', '/api/v4/3/6/search#part', '/api/v4/3/6/search'],
  ['HEAD', '/api/v3/3/6/WebSites/PublicSettings', '/api/v3/3/6/websites/publicsettings'],
  ['GET', '/api/synonymsgroup/EN', '/api/synonymsgroup/EN'],
  ['GET', '/api/synonymsgroup/a%2fb', '/api/synonymsgroup/a%2Fb'],
  ['GET', '/api/synonymsgroup/%252e', '/api/synonymsgroup/%252e'],
])('%s %s is routed as %s', (method, target, url) => {
  expect(matchRoute(method, target)).toMatchObject({ kind: 'route', url });
});

test.each([
  ['an unknown path', '/api/v4/3/6/find'],
  ['tracking on v4', '/api/v4/3/6/search/pushstat/querylog'],
  ['answers on v3', '/api/v3/3/6/search/answer'],
  ['documents on v3', '/api/v3/3/index/17/documents'],
  ['a version on a search tool', '/api/v4/banners/1'],
  ['a leading zero', '/api/v4/03/6/search'],
  ['a sign', '/api/v4/+3/6/search'],
  ['a hexadecimal id', '/api/v4/0x3/6/search'],
  ['an exponent', '/api/v4/1e1/6/search'],
  ['non-ASCII digits', '/api/v4/%D9%A3/6/search'],
  ['a blank beside the id', '/api/v4/%203/6/search'],
  ['an id that is a word', '/api/v4/3/index/abc/documents'],
  ['invalid percent encoding', '/api/v4/3/6/%zz'],
  ['invalid UTF-8', '/api/synonymsgroup/%ff'],
  ['a control character', '/api/synonymsgroup/a%00'],
  ['an encoded dot', '/api/synonymsgroup/%2e'],
  ['two dots', '/api/v4/3/6/search/../search'],
  ['encoded dots outside the API', '/sample/%2e%2e/secret'],
  ['no path at all', 'api'],
])('%s is unknown', (_case, target) => {
  const match = matchRoute('POST', target);

  expect(match.kind).toBe('unknown');
});

test.each([
  ['GET', '/api/v4/3/6/search', 'POST'],
  ['POST', '/api/v3/3/6/websites/publicsettings', 'GET, HEAD'],
  ['POST', '/api/v4/3/index/17/documents', 'DELETE, PATCH, PUT'],
  ['PATCH', '/api/banners/1', 'DELETE, GET, HEAD, PUT'],
  ['BREW', '/api/rankings', 'GET, HEAD, POST'],
])('%s %s allows %s', (method, target, allow) => {
  expect(matchRoute(method, target)).toMatchObject({ kind: 'wrong-method', allow });
});

test.each([
  ['/', '/'],
  ['/Assets//Page.js', '/Assets/Page.js'],
  ['/sample/?a=b', '/sample/?a=b'],
])('%s outside the API keeps its case and last slash', (target, url) => {
  expect(matchRoute('GET', target)).toEqual({ kind: 'other', url });
});

test('every row of the table is reached by its own path', () => {
  for (const row of ROUTE_TABLE) {
    const path = row.path.replace(/:identifier/, 'en').replace(/:\w+/g, '1');

    expect(matchRoute(row.method, path)).toMatchObject({ kind: 'route', row });
  }
});

test.each([
  ['1', 1],
  ['2147483647', 2_147_483_647],
  ['2147483648', undefined],
  ['99999999999999999999', undefined],
  ['0', undefined],
  [undefined, undefined],
])('the id text %s names the record %s', (text, id) => {
  expect(knownId(text)).toBe(id);
});
