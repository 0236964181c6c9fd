import { DOCUMENT_ORIGINS } from '../../core/document.ts';
import { listedNumbers } from '../sql/dialect.ts';
import { defineStore, fetchAll, fetchFirst, mapTogether, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { decodeDocument, isDamaged, titleHashOf } from './document-rows.ts';
import { findRow } from './document-writes.ts';
import { applyPuts, preparePuts, withTitle } from './put-documents.ts';

/**
 * Part of the port `EngineStore`: what the heads of pages call them, for pages that share their title with others. Promises:
 * 1. `sharersOfTitles` lists the live documents of a crawler whose title another one of it has, case aside, by
 *    `titleKey`, equal for equal titles, with the head title that they were put with, or `''`;
 * 2. `takeHeadTitles` makes the head title of a document its `Title`, under a new `seq`; one that is called otherwise by
 *    now, is gone, or was pushed, stays as it is. Resolves with how many were changed;
 * 3. such a document keeps its title when it is put again with the same `headTitle`, until it is put with another one;
 * 4. `headsOfTitles` lists for each text the head titles, each once, of the live documents of the crawler that have it
 *    as title, case aside; `''` of those without one.
 */
export interface HeadTitleStore {
  sharersOfTitles(of: { crawlerId: number; after: number; limit: number }): Promise<readonly TitleSharer[]>;
  takeHeadTitles(input: TakeHeadTitles): Promise<number>;
  headsOfTitles(crawlerId: number, titles: readonly string[]): Promise<readonly (readonly string[])[]>;
}

export type TitleSharer = { readonly id: string; readonly titleKey: number; readonly headTitle: string };

type TakeHeadTitles = { readonly crawlerId: number; readonly sharers: readonly TitleSharer[]; readonly at: number };

type SharerRow = { titleKey: number; id: string; headTitle: string | null };

/** Titles that several live documents of a crawler have. Reads an index alone. */
export function sharedTitleHashes(crawlerId: number) {
  return engineSql
    .selectFrom('documents')
    .where('crawler_id', '=', crawlerId)
    .where('deleted', '=', 0)
    .where('title_hash', 'is not', null)
    .groupBy('title_hash')
    .having((row) => row.fn.countAll<number>(), '>', 1);
}

const sharers = statement<{ crawlerId: number; after: number; limit: number }, SharerRow>((p) =>
  engineSql
    .selectFrom('documents')
    .select(['title_hash as titleKey', 'id', 'head_title as headTitle'])
    .where('crawler_id', '=', p.crawlerId)
    .where('deleted', '=', 0)
    .where('title_hash', '>', p.after)
    .where('title_hash', 'in', sharedTitleHashes(p.crawlerId).select('title_hash'))
    .orderBy('title_hash')
    .orderBy('rid')
    .limit(p.limit)
    .$castTo<SharerRow>(),
);

type TitledRow = { titleKey: number; headTitle: string | null };

const headsTitled = statement<{ crawlerId: number; hashes: string }, TitledRow>((p) =>
  engineSql
    .selectFrom('documents')
    .select(['title_hash as titleKey', 'head_title as headTitle'])
    .where('crawler_id', '=', p.crawlerId)
    .where('deleted', '=', 0)
    .where('title_hash', 'in', listedNumbers(p.hashes))
    .groupBy(['title_hash', 'head_title'])
    .$castTo<TitledRow>(),
);

export const headTitleStore = defineStore<HeadTitleStore>()(
  {
    *sharersOfTitles(of) {
      return (yield* fetchAll(sharers, of)).map(({ headTitle, ...row }) => ({ ...row, headTitle: headTitle ?? '' }));
    },
    *headsOfTitles(crawlerId, titles) {
      const hashes = titles.map(titleHashOf);
      const found = yield* fetchAll(headsTitled, {
        crawlerId,
        hashes: JSON.stringify(hashes.filter((one) => one !== null)),
      });
      const byHash = Map.groupBy(found, ({ titleKey }) => titleKey);
      return hashes.map((one) => (one === null ? [] : (byHash.get(one) ?? []).map(({ headTitle }) => headTitle ?? '')));
    },
  },
  { takeHeadTitles },
);

const CRAWLED = DOCUMENT_ORIGINS.indexOf('crawled');

/** Write operation. */
function* takeHeadTitles({ crawlerId, sharers, at }: TakeHeadTitles): Operation<number> {
  const rows = yield* mapTogether(sharers, ({ id }) => fetchFirst(findRow, { crawlerId, id }));
  const documents = sharers.flatMap(({ titleKey, headTitle }, place) => {
    const row = rows[place];
    const isAsListed = row?.title_hash === titleKey && row.head_title === headTitle && row.origin === CRAWLED;
    if (!isAsListed || isDamaged(row)) return [];
    const document = decodeDocument(row);
    return [{ ...document, fields: withTitle(document.fields, headTitle), headTitle }];
  });
  if (documents.length === 0) return 0;
  const written = yield* applyPuts(yield* preparePuts(crawlerId, documents), at);
  return written.rows.filter((outcome) => outcome !== 'same').length;
}
