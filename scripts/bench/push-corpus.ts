import { eventually } from '../../test/helpers/eventually.ts';
import { generateCorpus } from './generate-corpus.ts';

const BATCH = 500;

export type CorpusTarget = {
  /** Of the running product. */
  readonly address: string;
  readonly customerId: number;
  readonly apiKey: string;
};

/** Where documents go; `host` begins their addresses, `seed` makes them others. */
export type CorpusPart = {
  readonly engineId: number;
  readonly crawlerId: number;
  readonly count: number;
  readonly host?: string;
  readonly seed?: number;
};

/** Pushes generated documents; resolves with some of their titles when all can be searched. */
export async function pushCorpus(target: CorpusTarget, part: CorpusPart): Promise<readonly string[]> {
  const authorization = `Basic ${Buffer.from(`${target.customerId}:${target.apiKey}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const titles: string[] = [];
  let batch: unknown[] = [];
  const put = async () => {
    const path = `/api/v4/${target.customerId}/index/${part.crawlerId}/documents?echo=false`;
    const response = await fetch(`${target.address}${path}`, { method: 'PUT', headers, body: JSON.stringify(batch) });
    if (response.status !== 200) throw new Error(`push refused: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    batch = [];
  };
  for (const document of generateCorpus(part.count, part.seed)) {
    const { title, description, content, category } = document;
    const id = part.host === undefined ? document.id : document.id.replace('site.example', part.host);
    batch.push({
      id,
      fields: { Title: title, Url: id, Description: description, Content: content, Category: category },
    });
    if (batch.length % 97 === 0) titles.push(title);
    if (batch.length === BATCH) await put();
  }
  if (batch.length > 0) await put();
  const path = `/api/v4/${target.customerId}/${part.engineId}/search`;
  const body = JSON.stringify({ query: '*', perPage: 1, filters: {} });
  const isSearchable = async () => {
    const response = await fetch(`${target.address}${path}`, { method: 'POST', headers, body });
    return ((await response.json()) as { TotalDocument: number }).TotalDocument >= part.count;
  };
  await eventually(isSearchable, 600_000);
  return titles;
}
