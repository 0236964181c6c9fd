import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BASIC, D1, D3, SITE_KEY } from '../helpers/fixture.ts';
import type { Sent } from '../helpers/http-client.ts';
import { type Product, startProduct } from '../helpers/product.ts';

/**
 * The forms in which front ends that are in use send their requests: all are served. Contract 1.4 (binding), 2 to 7
 * (endpoints). What each answer holds is the matter of the tests of its endpoint.
 */
const ORIGIN = 'https://shop.example';
const TEXT = { 'content-type': 'text/plain;charset=UTF-8' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
const SOURCES = [{ id: D1, fields: ['Title', 'Content'] }];
const EMPTY_MEMBERS = {
  perPage: null,
  fields: null,
  filters: [],
  notFilters: [],
  postFilters: [],
  sort: [],
  rangeFacets: [],
  valueBoost: [],
  facets: [],
};

/** What a page has of earlier answers when it sends the request. */
type Visit = { readonly qid: string; readonly conversationId: string; readonly exchangeId: string };
type Shape = Omit<Sent, 'path' | 'body'> & {
  readonly path: string | ((visit: Visit) => string);
  readonly body?: unknown | ((visit: Visit) => unknown);
};

const search = (body: unknown, more: Partial<Shape> = {}): Shape => ({ path: '/api/v4/3/6/search', body, ...more });
const log = (kind: string, body: Shape['body'], more: Partial<Shape> = {}): Shape => ({
  path: `/api/v3/3/6/search/pushstat/${kind}`,
  body,
  headers: { authorization: undefined, ...TEXT },
  ...more,
});
const get = (path: Shape['path'], headers: Sent['headers'] = {}): Shape => ({ method: 'GET', path, headers });
const paramsForm = (members: unknown) => `Params=${encodeURIComponent(JSON.stringify(members))}`;
const json = (members: object) => JSON.stringify(members);
const query = { query: 'solar', page: 1, perPage: 10 };
const clickOf = ({ qid }: Visit) => ({ qid, clurl: D1, cli: '1', ls: 'searchresult', sw: 'solar', title: 'Solar' });
const parametersOf = (members: object) => new URLSearchParams(Object.entries(members)).toString();

const SHAPES: Readonly<Record<string, Shape>> = {
  'search of v4 by the key of a site': search(query),
  'search of v4 by an API key': search(query, { headers: { authorization: BASIC } }),
  'search of v3 by the key of a site': search(query, { path: '/api/v3/3/6/search' }),
  'search of v3 by an API key': search(query, { path: '/api/v3/3/6/search', headers: { authorization: BASIC } }),
  'a scheme in small letters': search(query, { headers: { authorization: SITE_KEY.replace('SiteKey', 'sitekey') } }),
  'members in Pascal case': search({ Query: 'solar', Page: 1, PerPage: 10, ResponseType: 'JsonObject' }),
  'members in capitals': search({ QUERY: 'solar', PAGE: 1, PERPAGE: 10 }),
  'numbers and truth values as text': search({ query: '*', page: '1', perPage: '10', highlight: 'True' }),
  'members that are null or the wrong empty container': search({ query: '*', ...EMPTY_MEMBERS }),
  'the response type json': search({ query: 'solar', ResponseType: 'json' }),
  'the response type NotSpecified': search({ query: 'solar', responseType: 'NotSpecified' }),
  'results as HTML of v4': search({ query: 'solar', responseType: 'JsonHtml' }),
  'results as HTML of v3': search({ query: 'solar', responseType: 'JsonHtml' }, { path: '/api/v3/3/6/search' }),
  'an unknown response type of v3': search({ query: '*', responseType: 'xml' }, { path: '/api/v3/3/6/search' }),
  'a template and an overlay': search({ query: '*', responseType: 'JsonHtml', template: 'cards', overlay: 'wide' }),
  'names in camel case': search(query, { path: '/api/v4/3/6/search?casing=camel' }),
  'a parameter against caches': search(query, { path: '/api/v4/3/6/search?_=1730000000000' }),
  'JSON as plain text': search(json(query), { headers: { authorization: SITE_KEY, ...TEXT } }),
  'JSON in a form': search(paramsForm(query), { headers: { authorization: SITE_KEY, ...FORM } }),
  'JSON in a form, with plus signs': search(paramsForm({ query: 'solar panels' }).replaceAll('%20', '+'), {
    headers: { authorization: SITE_KEY, ...FORM },
  }),
  'a byte order mark': search(`\uFEFF${json(query)}`),
  'a charset in capitals': search(json(query), {
    headers: { authorization: SITE_KEY, 'content-type': 'application/json; charset=UTF-8' },
  }),
  'a body by gzip': search(gzipSync(json(query)), encoded('gzip')),
  'a body by deflate': search(deflateSync(json(query)), encoded('deflate')),
  'a body by Brotli': search(brotliCompressSync(json(query)), encoded('br')),
  'filters of all kinds': search({
    query: '*',
    filters: { Category: ['Guides', 'News'], range: ['Price_number', '', '40'], date: ['Published_date', '2024', ''] },
    notFilters: { Category: ['Manuals'] },
    postFilters: { geo_distance: ['Place_geo_point', '55.6', '12.5', '500', 'Kilometers'] },
    postFiltersOperator: 'or',
  }),
  'the other spelling of the operator of filters': search({
    query: '*',
    postFilters: { Category: ['News'] },
    postFilterOperator: 'OR',
  }),
  'a filter value that is a number': search({ query: '*', filters: { Price_number: [10] } }),
  'facets as a list': search({ query: '*', facets: ['Category'] }),
  'facets with values': search({ query: '*', facets: { Category: ['News'], Language: null } }),
  'ranges as facets': search({
    query: '*',
    rangeFacets: { Price: { fieldName: 'Price_number', ranges: [{ to: 20 }, { from: '20', to: '40' }] } },
  }),
  'a boost by values': search({ query: 'solar', valueBoost: { Category: ['News'] } }),
  'a boost by weights': search({
    query: 'solar',
    valueBoost: [{ fieldName: 'Category', Boosts: [{ Boost: '2', Values: ['News'] }] }],
  }),
  'an order by name': search({ query: '*', sort: { Published_date: 'Descending' } }),
  'an order by number': search({ query: '*', sort: { Price_number: 1 } }),
  'a search while typing': search({ query: 'so', searchContext: 'sayt' }),
  'members that nobody knows': search({ query: '*', clientVersion: '7.2', device: { width: 1440 } }),
  'autocomplete by text': get('/api/v4/3/6/autocomplete?text=sol'),
  'autocomplete by query, in Pascal case': get('/api/v4/3/6/autocomplete?Query=sol&Results=3'),
  'autocomplete of v3': get('/api/v3/3/6/autocomplete?query=sol'),
  'autocomplete of v3 with results': get('/api/v3/3/6/autocomplete?query=sol&responseType=JsonObject'),
  'autocomplete as HTML': get('/api/v4/3/6/autocomplete?query=sol&responseType=JsonHtml'),
  'autocomplete with filters as JSON': get(
    `/api/v4/3/6/autocomplete?query=sol&filters=${encodeURIComponent('{"Category":["News"]}')}`,
  ),
  'autocomplete with filters in brackets': get(
    '/api/v4/3/6/autocomplete?query=sol&filters[Category]=News&languages=en',
  ),
  'autocomplete as a post': { path: '/api/v4/3/6/autocomplete', body: { query: 'sol', filters: [] } },
  'public settings': get('/api/v3/3/6/websites/publicsettings'),
  'a search that is logged': log('querylog', ({ qid }: Visit) => json({ sw: 'solar', qid, rc: '3', dt: 'desktop' })),
  'an id of 32 hexadecimal digits': log('querylog', ({ qid }: Visit) => json({ sw: 'solar', qid: bare(qid) })),
  'a log by a beacon that is a form': log(
    'querylog',
    ({ qid }: Visit) => parametersOf({ sw: 'solar', qid, sid: 's' }),
    { headers: { authorization: undefined, ...FORM } },
  ),
  'a log in the URL with the body undefined': log('querylog', 'undefined', {
    path: ({ qid }) => `/api/v3/3/6/search/pushstat/querylog?${parametersOf({ sw: 'solar', qid })}`,
  }),
  'a log in the URL without a body': log('clicklog', undefined, {
    path: (visit) => `/api/v3/3/6/search/pushstat/clicklog?${parametersOf(clickOf(visit))}`,
    headers: { authorization: undefined },
  }),
  'a log with a key': log('clicklog', clickOf, { headers: { authorization: SITE_KEY } }),
  'a click on a banner': log('clicklog', ({ qid }: Visit) => json({ qid, ls: 'banner', cloi: '7', sw: 'solar' })),
  'a pixel for a search': get(({ qid }) => `/api/v3/3/6/search/pushstat/__utm.gif?${parametersOf({ sw: 'x', qid })}`),
  'a pixel for a click': get((visit) => `/api/v3/3/6/search/pushstat/__ctm.gif?${parametersOf(clickOf(visit))}`),
  'feedback on results by a beacon': {
    path: '/api/v4/3/6/feedback',
    body: ({ qid }: Visit) => json({ url: D1, queryId: qid, rating: 'Positive' }),
    headers: { authorization: undefined, ...TEXT },
  },
  'a question': { path: '/api/v4/3/6/search/answer', body: { question: 'How long does a panel last?' } },
  'a question that goes on, in Pascal case': {
    path: '/api/v4/3/6/search/answer',
    body: ({ conversationId }: Visit) => ({
      Question: 'What does the inverter do?',
      ConversationId: conversationId,
      IncludeCitations: 'true',
      Filters: [],
    }),
  },
  'a question as a stream': {
    path: '/api/v4/3/6/search/answer/stream',
    body: { question: 'How long does a panel last?', language: 'en', answerLength: 'concise' },
  },
  'a click on a citation': {
    path: '/api/v4/3/6/search/answer/click',
    body: ({ conversationId, exchangeId }: Visit) => json({ conversationId, exchangeId, url: D1 }),
    headers: { authorization: undefined, ...TEXT },
  },
  'feedback on an answer': {
    path: '/api/v4/3/6/search/answer/feedback',
    body: ({ conversationId, exchangeId }: Visit) => json({ conversationId, exchangeId, rating: 'positive' }),
    headers: { authorization: undefined, ...TEXT },
  },
  'a summary': {
    path: '/api/v4/3/6/search/summarize',
    body: ({ qid }: Visit) => ({ query: 'solar', queryId: qid, sources: SOURCES }),
  },
  'a summary as a stream': {
    path: '/api/v4/3/6/search/summarize/stream',
    body: ({ qid }: Visit) => ({ Query: 'solar', QueryId: qid, Sources: SOURCES, includeCitations: true }),
  },
  'feedback on a summary': {
    path: '/api/v4/3/6/search/summarize/feedback',
    body: { rating: 'positive', summaryId: randomUUID() },
    headers: { authorization: undefined, 'content-type': 'application/json' },
  },
};

/** Of a server, which needs no leave to read answers. */
const SERVER_SHAPES: Readonly<Record<string, Shape>> = {
  'a document by an id that is encoded': {
    method: 'DELETE',
    path: `/api/v4/3/index/17/documents?documentId=${encodeURIComponent(D3)}`,
    headers: { authorization: BASIC },
  },
  'groups of synonyms by repeated parameters': {
    method: 'DELETE',
    path: '/api/synonymsgroup?groupIds=901&groupIds=902',
    headers: { authorization: BASIC },
  },
};

let product: Product;
let visit: Visit;
beforeAll(async () => {
  product = await startProduct();
  const { value } = (await product.post('/api/v4/3/6/search/answer', { question: 'How long does a panel last?' })).body;
  const qid = product.issueQueryId({ customerId: 3, engineId: 6 });
  visit = { qid, conversationId: value.conversationId, exchangeId: value.exchangeId };
});
afterAll(() => product[Symbol.asyncDispose]());

test.each(Object.entries(SHAPES))('a page sends %s', async (_name, shape) => {
  const { status, headers, body } = await sendShape(shape, { origin: ORIGIN, authorization: SITE_KEY });

  expect(status, JSON.stringify(body)).toBe(200);
  expect(headers['access-control-allow-origin']).toBe('*');
});

test.each(Object.entries(SERVER_SHAPES))('a server sends %s', async (_name, shape) => {
  const { status, body } = await sendShape(shape, {});

  expect(status, JSON.stringify(body)).toBe(200);
});

function sendShape({ method = 'POST', path, body, headers }: Shape, standing: Sent['headers']) {
  return product.send({
    method,
    path: typeof path === 'function' ? path(visit) : path,
    headers: { ...standing, ...headers },
    body: typeof body === 'function' ? body(visit) : body,
  });
}

function encoded(encoding: string): Partial<Shape> {
  return { headers: { authorization: SITE_KEY, 'content-type': 'application/json', 'content-encoding': encoding } };
}

/** As front ends store it that know ids without hyphens only. */
function bare(qid: string): string {
  return qid.replaceAll('-', '');
}
