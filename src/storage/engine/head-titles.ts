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
 *    `titleKey`, equal for equal titles, with the head title that they were put with, or `''`, and whether it is their
 *    title;
 * 2. `takeHeadTitles` makes the head title of a document its `Title`, under a new `seq`; one that is called otherwise by
 *    now, is gone, or was pushed, stays as it is. Resolves with how many were changed;
 * 3. such a document keeps its title when it is put again with the same `headTitle`, until it is put with another one;
 * 4. `headsOfTitles` lists for each text the live documents of the crawler that have it as title, case aside, with their
 *    head titles, or `''`; undefined = there are too many.
 */
export interface HeadTitleStore {
  sharersOfTitles(of: { crawlerId: number; after: number; limit: number }): Promise<readonly TitleSharer[]>;
  takeHeadTitles(input: TakeHeadTitles): Promise<number>;
  headsOfTitles(
    crawlerId: number,
    titles: readonly string[],
  ): Promise<readonly (readonly TitledDocument[] | undefined)[]>;
}

export type TitledDocument = { readonly id: string; readonly headTitle: string };
export type TitleSharer = TitledDocument & { readonly titleKey: number; readonly hasHeadTitle: boolean };

/** Documents of one call, whatever their titles. */
const MOST_TITLED = 5_000;

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

const titled = statement<{ crawlerId: number; hashes: string; limit: number }, SharerRow>((p) =>
  engineSql
    .selectFrom('documents')
    .select(['title_hash as titleKey', 'id', 'head_title as headTitle'])
    .where('crawler_id', '=', p.crawlerId)
    .where('deleted', '=', 0)
    .where('title_hash', 'in', listedNumbers(p.hashes))
    .orderBy('title_hash')
    .orderBy('rid')
    .limit(p.limit)
    .$castTo<SharerRow>(),
);

export const headTitleStore = defineStore<HeadTitleStore>()(
  {
    *sharersOfTitles(of) {
      return (yield* fetchAll(sharers, of)).map(({ id, titleKey, headTitle }) => {
        const hasHeadTitle = headTitle !== null && titleHashOf(headTitle) === titleKey;
        return { id, titleKey, headTitle: headTitle ?? '', hasHeadTitle };
      });
    },
    *headsOfTitles(crawlerId, titles) {
      const hashes = titles.map(titleHashOf);
      const listed = JSON.stringify(hashes.filter((one) => one !== null));
      const found = yield* fetchAll(titled, { crawlerId, hashes: listed, limit: MOST_TITLED });
      // Of the last title, and of those behind it, some may be missing.
      const lastKey = found.length < MOST_TITLED ? Number.POSITIVE_INFINITY : (found.at(-1)?.titleKey ?? 0);
      const byKey = Map.groupBy(found, ({ titleKey }) => titleKey);
      return hashes.map((key) => {
        if (key !== null && key >= lastKey) return undefined;
        const documents = key === null ? [] : (byKey.get(key) ?? []);
        return documents.map(({ id, headTitle }) => ({ id, headTitle: headTitle ?? '' }));
      });
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
