import { eventually } from '../../test/helpers/eventually.ts';
import { pushDocuments } from '../push-documents.ts';
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
  const documents = generateCorpus(part.count, part.seed).map(({ id: own, title, ...rest }, index) => {
    const id = part.host === undefined ? own : own.replace('site.example', part.host);
    if (index % 97 === 96) titles.push(title);
    const { description, content, category } = rest;
    return { id, fields: { Title: title, Url: id, Description: description, Content: content, Category: category } };
  });
  const { address, customerId, apiKey: key } = target;
  await pushDocuments({ address, customerId, crawlerId: part.crawlerId, key }, documents, { together: BATCH });
  const path = `/api/v4/${target.customerId}/${part.engineId}/search`;
  const body = JSON.stringify({ query: '*', perPage: 1, filters: {} });
  const isSearchable = async () => {
    const response = await fetch(`${target.address}${path}`, { method: 'POST', headers, body });
    return ((await response.json()) as { TotalDocument: number }).TotalDocument >= part.count;
  };
  await eventually(isSearchable, 600_000);
  return titles;
}
