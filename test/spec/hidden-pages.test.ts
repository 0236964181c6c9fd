import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { BASIC_4, D1, D3 } from '../helpers/fixture.ts';
import { connectAgent } from '../helpers/mcp-client.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// A page that an editor hides is shown to no visitor, whatever the query: the solar guide and the solar park.
const HIDDEN = [D1, D3];
const ENGINE = '/api/v4/3/6';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const change = { customerId: 3, actor: 'operator', at: 1 };
  for (const documentId of HIDDEN) {
    const draft = { engineId: 6, documentId, url: documentId, title: '', note: undefined, hiddenAt: 1 };
    await product.systemStore.addTool('hidden-page', draft, change);
  }
  await eventually(async () => (await search({ query: 'solar' })).TotalDocument === 1);
});
afterAll(() => product[Symbol.asyncDispose]());

async function post(path: string, body: object) {
  return (await product.post(`${ENGINE}${path}`, body, product.siteKey)).body;
}
const search = (body: object) => post('/search', body);
const idsOf = (body: { readonly TypedDocuments: readonly { readonly Id: string }[] }) =>
  body.TypedDocuments.map(({ Id }) => Id);

describe('a hidden page', () => {
  test('is no result of a search, and counted in neither totals nor facets', async () => {
    const all = await search({ query: '*', facets: ['Category'], perPage: 20 });

    expect(all.TotalDocument).toBe(4);
    expect(idsOf(all)).not.toEqual(expect.arrayContaining([expect.stringMatching(/solar$|news\/1$/)]));
    const counts = all.Facets.Category.Items.map(({ Key, Count }: { Key: string; Count: number }) => [Key, Count]);
    expect(new Map(counts)).toEqual(
      new Map([
        ['Guides', 2],
        ['News', 1],
        ['Manuals', 1],
        ['Products', 1],
      ]),
    );
  });

  test('is not brought back by a pin', async () => {
    const page = { name: 'Guide', pageid: D1, pageurl: D1 };
    const ranking = {
      name: 'Pinned',
      WebsiteId: 6,
      rankingterms: ['wind'],
      pages: [{ rank: 1, showpage: true, page }],
    };
    await product.post('/api/rankings', ranking);
    const other = { ...page, pageid: 'item-6', pageurl: 'https://example.com/battery' };
    const control = { ...ranking, pages: [{ rank: 1, showpage: true, page: other }] };
    await product.post('/api/rankings', control);

    const found = await eventually(async () => {
      const ids = idsOf(await search({ query: 'wind' }));
      return ids.includes('item-6') ? ids : undefined;
    });

    expect(found).not.toContain(D1);
  });

  test('is no result and no title while somebody types', async () => {
    const typed = { query: 'sol', limit: 10 };

    const completed = await post('/autocomplete', typed);
    await product.changeSettings(6, { autocompleteMode: 'titles' });
    const titled = await post('/autocomplete', typed);
    await product.changeSettings(6, { autocompleteMode: 'suggestions' });

    expect(completed.results.map(({ id }: { id: string }) => id)).not.toEqual(expect.arrayContaining(HIDDEN));
    expect(completed.totalResults).toBe(1);
    expect(titled.suggestions).toEqual([]);
  });

  test('is quoted in no answer and no summary', async () => {
    const asked = await post('/search/answer', { question: 'How long does a solar panel last?' });
    const sources = HIDDEN.map((id) => ({ id, fields: ['Title', 'Content'], resultIndex: 1 }));
    const { QueryId } = await search({ query: 'solar' });
    const summed = await product.post(
      `${ENGINE}/search/summarize`,
      { query: 'solar', queryId: QueryId, sources },
      product.siteKey,
    );

    expect(asked.value.answer).not.toContain('25 years');
    expect(JSON.stringify(asked)).not.toContain(D1);
    expect(summed.status).toBe(422);
  });

  test('is given to no agent', async () => {
    const requestInit = { headers: { authorization: product.siteKey } };
    await using agent = await connectAgent(
      new StreamableHTTPClientTransport(new URL(`${product.origin}/mcp`), { requestInit }),
      undefined,
    );

    const found = await agent.call('search', { query: 'solar' });
    const fetched = await agent.call('fetch_document', { id: D1 });
    const markdown = await product.send({ path: `${ENGINE}/documents/markdown?id=${encodeURIComponent(D1)}` });
    const list = await product.send({ path: '/llms.txt' });

    expect(found.structured.total).toBe(1);
    expect(fetched.text).toContain('No document of this engine');
    expect(markdown.status).toBe(404);
    expect(list.body).toContain(encodeURIComponent('https://example.com/wind'));
    expect(list.body).not.toContain(encodeURIComponent(D1));
  });
});

test('what one customer hides, another still shows', async () => {
  await product.put('/api/v4/4/index/19/documents?refresh=wait', [{ id: D1, fields: { Title: 'Solar' } }], BASIC_4);

  const { body } = await product.post('/api/v4/4/8/search', { query: 'solar' }, BASIC_4);

  expect(idsOf(body)).toEqual([D1]);
});
