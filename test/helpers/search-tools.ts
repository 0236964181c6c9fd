import { expect } from 'vitest';
import { BASIC } from './fixture.ts';
import type { Product } from './product.ts';

/** Records of the search tools on engine 6 with no more than what is required. Contract: 10. */
export const BANNER = { name: 'Sale', htmlcode: '<b>Sale</b>', websiteid: 6 };
export const PAGE = { name: 'Grants', pageid: 'https://example.com/news/2', pageurl: 'https://example.com/news/2' };
export const PIN = { rank: 1, showpage: true, page: PAGE };
export const RANKING = { name: 'First', WebsiteId: 6 };
export const QUICKLINK = { url: '/contact', websiteid: 6 };
export const KINDS = [
  { kind: 'banners', record: BANNER, list: '/api/banners/site/' },
  { kind: 'rankings', record: RANKING, list: '/api/rankings/site/' },
  { kind: 'quicklinks', record: QUICKLINK, list: '/api/engine/' },
];

/** Calls of an operator of the search tools; `product` is asked at each call. */
export function toolCalls(product: () => Product) {
  const call = (method: string, path: string, body?: unknown, auth = BASIC) =>
    product().send({ method, path, body, headers: { authorization: auth } });
  const create = async (kind: string, record: object): Promise<{ id: number } & Record<string, unknown>> => {
    const { status, body } = await call('POST', `/api/${kind}`, record);
    expect(status).toBe(200);
    return body as { id: number };
  };
  return { call, create };
}
