import { z } from 'zod';
import type { Connection, Json } from './connection.ts';
import { IS_DOCUMENT } from './generation.ts';
import { requireWhole } from './whole-answer.ts';

const PAGE = 10_000;
const PageSchema = z.object({ hits: z.object({ hits: z.array(z.object({ sort: z.tuple([z.number()]) })) }) });

/** Row ids of the documents that match a query, ascending, a page at a time. */
export async function* readRids(connection: Connection, index: string, query: Json): AsyncGenerator<readonly number[]> {
  for (let after: number | undefined; ; ) {
    const answer = await connection.find({
      method: 'POST',
      path: `/${index}/_search`,
      body: {
        size: PAGE,
        _source: false,
        track_total_hits: false,
        sort: [{ rid: 'asc' }],
        query: { bool: { filter: [IS_DOCUMENT, query] } },
        ...(after === undefined ? {} : { search_after: [after] }),
      },
    });
    if (answer === undefined) return;
    const rids = PageSchema.parse(requireWhole(answer)).hits.hits.map(({ sort: [rid] }) => rid);
    if (rids.length > 0) yield rids;
    if (rids.length < PAGE) return;
    after = rids.at(-1);
  }
}
