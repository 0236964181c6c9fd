import type { RunningProduct } from '../../../test/helpers/processes.ts';

export const BENCH_KEY = 'bench-answers-key';
const BASIC = `Basic ${Buffer.from(`1:${BENCH_KEY}`).toString('base64')}`;

export type Timing = { readonly firstMs: number; readonly wholeMs: number; readonly text: string };

/** A question to the only engine, read to its end. */
export async function ask(product: RunningProduct, question: string, kind: '' | '/stream' = ''): Promise<Timing> {
  const startedAt = performance.now();
  const path = `/api/v4/1/1/search/answer${kind}`;
  const response = await send(product, { method: 'POST', path, body: { question } });
  let firstMs: number | undefined;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    firstMs ??= performance.now() - startedAt;
    text += decoder.decode(chunk, { stream: true });
  }
  return { firstMs: firstMs ?? Number.NaN, wholeMs: performance.now() - startedAt, text };
}

/** The first page of what a search of the words finds, read to its end. */
export async function search(product: RunningProduct, query: string): Promise<Pick<Timing, 'wholeMs' | 'text'>> {
  const startedAt = performance.now();
  const response = await send(product, { method: 'POST', path: '/api/v4/1/1/search', body: { query } });
  const text = await response.text();
  return { wholeMs: performance.now() - startedAt, text };
}

type Sent = { readonly method: string; readonly path: string; readonly body: unknown };

/** @throws Error unless the status is 200 */
async function send(product: RunningProduct, { method, path, body }: Sent): Promise<Response> {
  const response = await fetch(`${product.address}${path}`, {
    method,
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}
