import type { SearchHit } from '../../search/read-hits.ts';
import type { SearchResult } from '../../search/search.ts';
import type { SearchHtmlResponse } from './html/html-response.ts';
import type { HtmlStyle } from './html/markup.ts';
import { resultItem, resultList } from './html/result-list.ts';
import { camelCasedMember, camelCasedName, hitResponse, type SearchResponse } from './responses.ts';

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
