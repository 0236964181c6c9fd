import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type LinkText, linkCount } from '../../core/link-texts.ts';
import { defineStore, execute, fetchAll, fetchFirst, mapTogether, type Operation, submit } from '../sql/operation.ts';
import { engineSql, type Parameters, statement } from '../sql/statement.ts';
import { type DocumentRow, isDamaged, rowHash, titleHashOf } from './document-rows.ts';
import { findRow, startNumbering } from './document-writes.ts';
import { packIds, unpackIds } from './outlinks.ts';

/**
 * Part of the port `EngineStore`: how the pages of a crawler call what they link to. Promises:
 * 1. a visit counts each text of its page's links once for each URL that they lead to, and takes back what its page no
 *    longer says, together with the rest of the visit; a page that leaves takes back all;
 * 2. `applyLinkTexts` gives the documents of URLs whose texts have changed a new `seq`, by which readers of changes get
 *    their present texts; nothing else of a document changes, and one whose texts are the same takes no `seq`;
 * 3. texts of a URL that redirects, or stands for another page, are those of the page behind it;
 * 4. a text that leads to many URLs, and one that says the title of its document, is told of no document; of the others
 *    the most frequent are.
 */
export interface LinkTextStore {
  /** Looks at `limit` URLs at most that have changed at or before a time; resolves with how many there were. */
  applyLinkTexts(of: { crawlerId: number; changedBefore: number; limit: number }): Promise<number>;
}

/** A text that leads to more URLs says nothing of one: "Read more", "Next". */
const MAX_TARGETS = 5;
/** Different texts of one URL that are kept; the rest is dropped when its document is told. */
const MAX_TEXTS_OF_URL = 200;
const PRUNED_AT_ONCE = 1_000;
/** Texts of one document that the index is told of. */
const MAX_TEXTS = 16;
/** Redirects behind each other. */
const MAX_HOPS = 5;

type TextRow = { text: string; pages: number };

/** URLs whose texts are those of a document: its own, and what leads to it. */
function leadsTo(target: RawBuilder<unknown>, id: Parameters<{ id: number }>['id']) {
  return sql<boolean>`${target} IN (SELECT ${id} UNION ALL SELECT urls.id FROM urls WHERE urls.target_id = ${id})`;
}

export const linkTextStatements = {
  find: statement<{ targetId: number; key: bigint }, { id: number }>((p) =>
    engineSql.selectFrom('link_texts').select('id').where('target_id', '=', p.targetId).where('text_key', '=', p.key),
  ),
  /** A page has come to call the URL so; the text is new when it is one page. */
  add: statement<{ crawlerId: number; targetId: number; key: bigint; text: string }, { id: number; pages: number }>(
    (p) =>
      engineSql
        .insertInto('link_texts')
        .values({ crawler_id: p.crawlerId, target_id: p.targetId, text_key: p.key, text: p.text, pages: sql.lit(1) })
        .onConflict((conflict) =>
          conflict
            .columns(['target_id', 'text_key'])
            .doUpdateSet((row) => ({ pages: row('link_texts.pages', '+', 1) })),
        )
        .returning(['id', 'pages']),
  ),
  takeBack: statement<{ id: number }, { target_id: number; pages: number }>((p) =>
    engineSql
      .updateTable('link_texts')
      .set((row) => ({ pages: row('pages', '-', 1) }))
      .where('id', '=', p.id)
      .returning(['target_id', 'pages']),
  ),
  drop: statement<{ id: number }>((p) => engineSql.deleteFrom('link_texts').where('id', '=', p.id)),
  /** How many URLs a text leads to, up to a limit. */
  countTargets: statement<{ crawlerId: number; key: bigint; limit: number }, { count: number }>((p) =>
    engineSql
      .selectFrom((input) =>
        input
          .selectFrom('link_texts')
          .select('id')
          .where('crawler_id', '=', p.crawlerId)
          .where('text_key', '=', p.key)
          .limit(p.limit)
          .as('some'),
      )
      .select((row) => row.fn.countAll<number>().as('count')),
  ),
  /** URLs that the text of a row leads to. */
  sharing: statement<{ id: number; limit: number }, { target_id: number }>((p) =>
    engineSql
      .selectFrom('link_texts as own')
      .innerJoin('link_texts as other', (join) =>
        join.onRef('other.crawler_id', '=', 'own.crawler_id').onRef('other.text_key', '=', 'own.text_key'),
      )
      .select('other.target_id')
      .where('own.id', '=', p.id)
      .limit(p.limit),
  ),
  /** The least frequent texts of a URL that has too many. */
  superfluous: statement<{ targetId: number; kept: number }, { id: number }>((p) =>
    engineSql
      .selectFrom('link_texts')
      .select('id')
      .where('target_id', '=', p.targetId)
      .orderBy('pages', 'desc')
      .orderBy('id')
      .limit(sql.lit(PRUNED_AT_ONCE))
      .offset(p.kept),
  ),
  ofPage: statement<{ urlId: number }, { texts: Uint8Array | null }>((p) =>
    engineSql.selectFrom('outlinks').select('texts').where('url_id', '=', p.urlId),
  ),
  forgetPage: statement<{ urlId: number }>((p) =>
    engineSql.updateTable('outlinks').set({ texts: null }).where('url_id', '=', p.urlId),
  ),
  noteChanged: statement<{ urlId: number; crawlerId: number; at: number }>((p) =>
    engineSql
      .insertInto('changed_link_targets')
      .values({ url_id: p.urlId, crawler_id: p.crawlerId, since: p.at })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  /** Unless no text leads to the URL or to what stands for it. */
  noteNamed: statement<{ urlId: number; crawlerId: number; at: number }>((p) =>
    engineSql
      .insertInto('changed_link_targets')
      .columns(['url_id', 'crawler_id', 'since'])
      .expression(
        sql`SELECT ${p.urlId}, ${p.crawlerId}, ${p.at}
          WHERE EXISTS (SELECT 1 FROM link_texts WHERE ${leadsTo(sql.ref('target_id'), p.urlId)})`,
      )
      .onConflict((conflict) => conflict.doNothing()),
  ),
  due: statement<{ crawlerId: number; changedBefore: number; limit: number }, { url_id: number }>((p) =>
    engineSql
      .selectFrom('changed_link_targets')
      .select('url_id')
      .where('crawler_id', '=', p.crawlerId)
      .where('since', '<=', p.changedBefore)
      .orderBy('since')
      .limit(p.limit),
  ),
  settle: statement<{ urlId: number }>((p) =>
    engineSql.deleteFrom('changed_link_targets').where('url_id', '=', p.urlId),
  ),
  urlOf: statement<{ id: number }, { url: string; target_id: number | null }>((p) =>
    engineSql.selectFrom('urls').select(['url', 'target_id']).where('id', '=', p.id),
  ),
  /** The most frequent texts of a document; of each, how many URLs it leads to, counted up to `targets`. */
  ofDocument: statement<{ id: number; targets: number; limit: number }, TextRow & { targets: number }>((p) =>
    engineSql
      .selectFrom('link_texts as own')
      .select((row) => [row.fn.min<string>('own.text').as('text'), row.fn.sum<number>('own.pages').as('pages')])
      .select((row) =>
        row
          .selectFrom((input) =>
            input
              .selectFrom('link_texts as other')
              .select('other.id')
              .whereRef('other.crawler_id', '=', 'own.crawler_id')
              .whereRef('other.text_key', '=', 'own.text_key')
              .limit(p.targets)
              .as('some'),
          )
          .select((counted) => counted.fn.countAll<number>().as('count'))
          .as('targets'),
      )
      .where(leadsTo(sql.ref('own.target_id'), p.id))
      .groupBy(['own.crawler_id', 'own.text_key'])
      .orderBy('pages', 'desc')
      .orderBy('text')
      .limit(p.limit)
      .$castTo<TextRow & { targets: number }>(),
  ),
  told: statement<{ rid: number }, { texts: string }>((p) =>
    engineSql.selectFrom('document_link_texts').select('texts').where('rid', '=', p.rid),
  ),
  tell: statement<{ rid: number; texts: string }>((p) =>
    engineSql
      .insertInto('document_link_texts')
      .values({ rid: p.rid, texts: p.texts })
      .onConflict((conflict) => conflict.column('rid').doUpdateSet({ texts: p.texts })),
  ),
  renumber: statement<{ rid: number; seq: number; rowHash: Uint8Array }>((p) =>
    engineSql
      .updateTable('documents')
      .set({ seq: p.seq, write_seq: p.seq, row_hash: p.rowHash })
      .where('rid', '=', p.rid),
  ),
};

/** What a page calls the URLs that it links to. */
export type NamedLink = { readonly targetId: number; readonly text: string };

type Page = { readonly crawlerId: number; readonly urlId: number; readonly now: number };

/** A page with the texts that it said before, and those that it says now. */
export type PageTexts = Page & { readonly before: ReadonlySet<number>; readonly links: readonly NamedLink[] };

/**
 * Inside a write: counts the texts of pages of one crawler in place of those of their last visits; resolves with the
 * packed ids for each page, which are stored with its links. 25 µs of a text that comes or goes.
 */
export function* countLinkTexts(pages: readonly PageTexts[]): Operation<readonly Uint8Array[]> {
  const changed = new Set<number>();
  const texts = pages.flatMap((page) =>
    [...distinctLinks(page.links)].map((link) => ({ ...link, page, key: keyOfText(link.text) })),
  );
  const counted = yield* mapTogether(texts, countText);
  const afterByPage = new Map(pages.map((page) => [page, new Set<number>()]));
  for (const [at, { page, targetId }] of texts.entries()) {
    const { id, pages: since } = counted[at] as CountedText;
    afterByPage.get(page)?.add(id);
    if (since !== undefined && linkCount(since) !== linkCount(since - 1)) changed.add(targetId);
  }
  const added = texts.flatMap(({ key, page: { crawlerId } }, at) => {
    const { id, pages: since } = counted[at] as CountedText;
    return since === 1 ? [{ id, key, crawlerId }] : [];
  });
  yield* noteCrowded(added, changed);
  for (const page of pages) {
    const after = afterByPage.get(page) ?? new Set();
    for (const id of page.before.difference(after)) yield* takeBackText(id, changed);
    if (after.size === 0 && page.before.size > 0) yield* submit(linkTextStatements.forgetPage, { urlId: page.urlId });
  }
  const [first] = pages;
  if (first !== undefined) yield* noteChanged(first, changed);
  return pages.map((page) => packIds([...(afterByPage.get(page) ?? [])]));
}

/** `pages`: of a text that the page did not say before, how many pages say it now. */
type CountedText = { readonly id: number; readonly pages: number | undefined };

function* countText(text: NamedLink & { readonly page: PageTexts; readonly key: bigint }): Operation<CountedText> {
  const { page, targetId, key } = text;
  const known = page.before.size === 0 ? undefined : yield* fetchFirst(linkTextStatements.find, { targetId, key });
  if (known !== undefined && page.before.has(known.id)) return { id: known.id, pages: undefined };
  const { crawlerId } = page;
  const row = yield* fetchFirst(linkTextStatements.add, { crawlerId, targetId, key, text: text.text });
  if (row === undefined) throw new Error('An insertion returned no row');
  return row;
}

/** The URLs of texts that the new ones among them have made lead to too many. */
function* noteCrowded(
  added: readonly { readonly id: number; readonly key: bigint; readonly crawlerId: number }[],
  changed: Set<number>,
): Operation<void> {
  const byKey = Map.groupBy(added, ({ key }) => key);
  yield* mapTogether(byKey.values(), function* (texts): Operation<void> {
    const [{ id, key, crawlerId }] = texts as [(typeof added)[number]];
    const limit = MAX_TARGETS + 1 + texts.length;
    const count = (yield* fetchFirst(linkTextStatements.countTargets, { crawlerId, key, limit }))?.count ?? 0;
    if (count <= MAX_TARGETS || count - texts.length > MAX_TARGETS) return;
    for (const row of yield* fetchAll(linkTextStatements.sharing, { id, limit })) changed.add(row.target_id);
  });
}

/** Texts that differ in case alone are one. */
function distinctLinks(links: readonly NamedLink[]): Iterable<NamedLink> {
  return new Map(links.map((link) => [`${link.targetId} ${link.text.toLowerCase()}`, link])).values();
}

function keyOfText(text: string): bigint {
  return hash('sha256', text.toLowerCase(), 'buffer').readBigInt64BE(0);
}

/** Inside a write: the page has left, and calls nothing by a name any more. */
export function* forgetLinkTexts(page: Page): Operation<void> {
  const before = yield* textsOfPage(page.urlId);
  if (before.size === 0) return;
  const changed = new Set<number>();
  for (const id of before) yield* takeBackText(id, changed);
  yield* submit(linkTextStatements.forgetPage, { urlId: page.urlId });
  yield* noteChanged(page, changed);
}

/** Inside a write: the URL has a new document, or stands for another page now: the texts that lead to it are its own. */
export function* noteLinkTarget({ crawlerId, urlId, now: at }: Page): Operation<void> {
  yield* submit(linkTextStatements.noteNamed, { urlId, crawlerId, at });
}

/** Ids of the texts that a page said when it was last read. */
export function* textsOfPage(urlId: number): Operation<ReadonlySet<number>> {
  const texts = (yield* fetchFirst(linkTextStatements.ofPage, { urlId }))?.texts ?? undefined;
  return new Set(texts === undefined ? [] : unpackIds(texts));
}

function* noteChanged({ crawlerId, now: at }: Page, urlIds: ReadonlySet<number>): Operation<void> {
  for (const urlId of urlIds) yield* submit(linkTextStatements.noteChanged, { urlId, crawlerId, at });
}

function* takeBackText(id: number, changed: Set<number>): Operation<void> {
  const row = yield* fetchFirst(linkTextStatements.takeBack, { id });
  if (row === undefined) return;
  const { target_id: targetId, pages } = row;
  if (linkCount(pages) !== linkCount(pages + 1)) changed.add(targetId);
  if (pages > 0) return;
  yield* addSharers(id, changed);
  yield* submit(linkTextStatements.drop, { id });
}

/** The URLs of a text that is about to lead to few enough; else none. */
function* addSharers(id: number, changed: Set<number>): Operation<void> {
  const sharing = yield* fetchAll(linkTextStatements.sharing, { id, limit: MAX_TARGETS + 2 });
  if (sharing.length !== MAX_TARGETS + 1) return;
  for (const row of sharing) changed.add(row.target_id);
}

type ApplyLinkTexts = { readonly crawlerId: number; readonly changedBefore: number; readonly limit: number };

/** Write operation. 0.6 ms a document of 15 KB that is told of. */
function* applyLinkTexts(input: ApplyLinkTexts): Operation<number> {
  const due = yield* fetchAll(linkTextStatements.due, { ...input });
  const numbering = yield* startNumbering();
  for (const { url_id: urlId } of due) {
    yield* execute(linkTextStatements.settle, { urlId });
    yield* pruneTexts({ crawlerId: input.crawlerId, urlId, now: input.changedBefore });
    const page = yield* pageBehind(urlId);
    const row = page && (yield* fetchFirst(findRow, { crawlerId: input.crawlerId, id: page.url }));
    if (page === undefined || row === undefined || isDamaged(row)) continue;
    const texts = JSON.stringify((yield* textsOfDocument(page.id, row)).map(({ text, pages }) => [text, pages]));
    if (texts === ((yield* fetchFirst(linkTextStatements.told, { rid: row.rid }))?.texts ?? '[]')) continue;
    yield* execute(linkTextStatements.tell, { rid: row.rid, texts });
    const seq = numbering.next();
    yield* execute(linkTextStatements.renumber, { rid: row.rid, seq, rowHash: rowHash({ ...row, seq }) });
  }
  yield* numbering.end();
  return due.length;
}

/** Drops the least frequent texts of a URL; what they lead to besides is told of them again where they are few enough. */
function* pruneTexts(target: Page): Operation<void> {
  const superfluous = yield* fetchAll(linkTextStatements.superfluous, {
    targetId: target.urlId,
    kept: MAX_TEXTS_OF_URL,
  });
  const changed = new Set<number>();
  for (const { id } of superfluous) {
    yield* addSharers(id, changed);
    yield* execute(linkTextStatements.drop, { id });
  }
  if (superfluous.length < PRUNED_AT_ONCE) changed.delete(target.urlId);
  else changed.add(target.urlId);
  yield* noteChanged(target, changed);
}

function* pageBehind(urlId: number): Operation<{ readonly id: number; readonly url: string } | undefined> {
  let id = urlId;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const row = yield* fetchFirst(linkTextStatements.urlOf, { id });
    if (row === undefined) return undefined;
    if (row.target_id === null) return { id, url: row.url };
    id = row.target_id;
  }
  return undefined;
}

/** What the index is told: numbers of pages as far as they count. */
function* textsOfDocument(id: number, { title_hash: titleHash }: DocumentRow): Operation<readonly LinkText[]> {
  const limit = MAX_TEXTS_OF_URL;
  const rows = yield* fetchAll(linkTextStatements.ofDocument, { id, targets: MAX_TARGETS + 1, limit });
  return rows
    .filter(({ text, targets }) => targets <= MAX_TARGETS && titleHashOf(text) !== titleHash)
    .slice(0, MAX_TEXTS)
    .map(({ text, pages }) => ({ text, pages: COUNTED_PAGES.findLast((count) => count <= pages) ?? 1 }));
}

/** The fewest pages of each `linkCount`: what lies between them changes no document. */
const COUNTED_PAGES = [1, 2, 8];

export const linkTextStore = defineStore<LinkTextStore>()({}, { applyLinkTexts });
