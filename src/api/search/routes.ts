import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Engine } from '../../core/records.ts';
import type { SearchHit } from '../../search/read-hits.ts';
import { type SearchDeps, type SearchResult, search } from '../../search/search.ts';
import { bind, members, oneOf, queryMembers } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { requestSignal } from '../request-signal.ts';
import { type HtmlStyle, resultItem, resultList, type SearchHtmlResponse, searchHtmlResponse } from './html.ts';
import { camelCasedMember, camelCasedName, hitResponse, type SearchResponse, searchEnvelope } from './responses.ts';
import { type BoundSearch, SEARCH_REQUEST } from './schemas.ts';

export type SearchRouteDeps = GuardDeps & SearchDeps;

export const SEARCH_DEADLINE_MS = 5_000;
/** Estimated processor time that a call pays with one token of its rate: an ordinary search takes less. */
const MS_PER_TOKEN = 10;
export const SEARCH_PARAMETERS = members({ casing: oneOf(['camel', 'pascal']).optional() });

/** Contract: 2. */
export function searchRoutes(deps: SearchRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'search' });
    const formOf = (envelope: SearchResponse, { engine, sent }: { engine: Engine; sent: BoundSearch }) => {
      if (sent.responseType !== 'JsonHtml') return { envelope, htmlStyle: undefined };
      const { htmlHookPrefixes: prefixes, maxResultWindow } = deps.settings;
      const style = { prefixes, language: engine.language, template: sent.template };
      const asked = { engine, request: sent.request, style, maxResultWindow };
      return { envelope: searchHtmlResponse(envelope, asked), htmlStyle: style };
    };
    for (const version of ['v3', 'v4'] as const) {
      const path = `/api/${version}/:customerId/:engineId/search`;
      app.post(path, { onRequest: access.check }, async (request, reply) => {
        const { engine, charge } = access.of(request);
        const { casing } = bind(SEARCH_PARAMETERS, queryMembers(request));
        const sent = bind(SEARCH_REQUEST[version], request.body);
        const signal = requestSignal(reply, SEARCH_DEADLINE_MS);
        const result = await search(deps, { engine, request: sent.request, signal });
        await charge(extraTokens(result.costMs));
        const form = formOf(searchEnvelope(result, version), { engine, sent });
        return sendJson(reply, writeSearch(result, { ...form, casing: casing ?? 'pascal' }));
      });
    }
  };
}

/** What a search takes of its caller's rate beyond the token of its admission. */
export function extraTokens(costMs: number): number {
  return Math.ceil(costMs / MS_PER_TOKEN) - 1;
}

export type SearchForm = {
  /** The answer without its hits. */
  readonly envelope: SearchResponse | SearchHtmlResponse;
  readonly casing: 'camel' | 'pascal';
  /** How hits are shown in `SearchResult`; undefined = the frame has no such member. */
  readonly htmlStyle: HtmlStyle | undefined;
};

/**
 * The answer of a search as JSON, piece by piece: its hits are read, written and forgotten one by one, so that a page
 * of any size takes the memory of a few. Of hits as HTML the items are kept until the hits are written.
 */
export async function* writeSearch(result: SearchResult, form: SearchForm): AsyncGenerator<string> {
  const { envelope, casing, htmlStyle } = form;
  const name = (member: string) => JSON.stringify(casing === 'camel' ? camelCasedName(member) : member);
  const items: string[] = [];
  let separator = '{';
  for (const [member, value] of Object.entries(envelope)) {
    yield `${separator}${name(member)}:`;
    separator = ',';
    if (member === 'TypedDocuments') yield* writeHits(result.hits, form, items);
    else if (member === 'TopHits') yield* writeTopHits(result.topHits, form, name);
    else if (member === 'SearchResult' && htmlStyle !== undefined) yield* writeItems(String(value), items, htmlStyle);
    else yield JSON.stringify(casing === 'camel' ? camelCasedMember(member, value) : value);
  }
  yield '}';
}

/** A JSON array; `items` takes each hit as HTML, escaped as the inside of a JSON text, when HTML is wanted. */
async function* writeHits(
  hits: AsyncIterable<SearchHit>,
  { casing, htmlStyle }: Pick<SearchForm, 'casing' | 'htmlStyle'>,
  items: string[] = [],
): AsyncGenerator<string> {
  let separator = '[';
  for await (const hit of hits) {
    const response = hitResponse(hit);
    if (htmlStyle !== undefined) items.push(insideText(resultItem(response, htmlStyle)));
    yield separator + JSON.stringify(casing === 'camel' ? camelCasedMember('', response) : response);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* writeTopHits(
  topHits: SearchResult['topHits'],
  { casing }: SearchForm,
  name: (member: string) => string,
): AsyncGenerator<string> {
  yield '[';
  for (const [i, { field, values }] of topHits.entries()) {
    yield `${i === 0 ? '' : ','}{${name('Field')}:${JSON.stringify(field)},${name('Values')}:[`;
    for (const [j, { value, count, hits }] of values.entries()) {
      yield `${j === 0 ? '' : ','}{${name('Value')}:${JSON.stringify(value)},${name('AllCount')}:${count},${name('Hits')}:`;
      yield* writeHits(hits, { casing, htmlStyle: undefined });
      yield '}';
    }
    yield ']}';
  }
  yield ']';
}

/** The list of results as one JSON text; `frame` = the same without an item. */
function* writeItems(envelope: string, items: string[], style: HtmlStyle): Generator<string> {
  const begin = resultList([], style).replace(/<\/ul>$/, '');
  yield `"${insideText(begin)}`;
  for (const item of items) yield item;
  items.length = 0;
  yield `${insideText(envelope.slice(begin.length))}"`;
}

function insideText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Characters up to which an answer is sent whole, with its length; a longer one is streamed. */
const WHOLE_CHARS = 1 << 18;
/** Characters of a write. */
const PIECE_CHARS = 1 << 16;
/** A client that reads nothing for so long has gone. */
const STALLED_MS = 30_000;

/**
 * Sends JSON that comes in pieces, a long answer no faster than it is read. Nothing is sent before 256 K characters are
 * there or the whole of it: until then an error has its own status and body. One after that, which only a store that
 * fails can cause, ends the connection, so that nobody takes the half for the whole.
 */
async function sendJson(reply: FastifyReply, pieces: AsyncGenerator<string>): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  let begin = '';
  while (begin.length < WHOLE_CHARS) {
    const { value, done } = await pieces.next();
    if (done === true) return reply.send(begin);
    begin += value;
  }
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  return reply.send(Readable.from(joined(begin, pieces), { highWaterMark: 1 }));
}

/** Few large pieces: each costs a write, and a call of the compressor. */
async function* joined(begin: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begin;
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < PIECE_CHARS) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}
