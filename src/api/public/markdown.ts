import type { FastifyPluginAsync } from 'fastify';
import { AppError } from '../../core/errors.ts';
import type { Engine } from '../../core/records.ts';
import { oneLine, readMarkdown } from '../../search/document-markdown.ts';
import { type ListedPage, type ListPagesDeps, listPages } from '../../search/list-pages.ts';
import type { FindDocumentsDeps } from '../../search/read-hits.ts';
import { siteTokenOf } from '../auth.ts';
import { bind, exactQueryMembers, members, queryMembers, text } from '../binding.ts';
import { engineAccess, type GuardDeps, pathAccess } from '../guard.ts';
import { requestSignal } from '../request-signal.ts';
import { LLMS_PATH, MARKDOWN_PATH, MCP_PATH } from '../route-table.ts';
import { SEARCH_DEADLINE_MS } from '../search/routes.ts';
import { noPage, publishedAt, type SearchPageDeps } from '../search-pages.ts';
import { DOCUMENT_ID } from './documents.ts';

export type MarkdownDeps = GuardDeps & SearchPageDeps & FindDocumentsDeps & ListPagesDeps;

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

export const MARKDOWN_QUERY = members({ id: DOCUMENT_ID.describe('The id of a document, or its URL.') });
export const LLMS_QUERY = members({
  engine: text().optional().describe('One whose search page is published; absent: the first.'),
});

/** What agents read instead of pages: documents as Markdown, and a list of them (https://llmstxt.org). */
export function markdownRoutes(deps: MarkdownDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'published', rate: 'search' });
    app.get(MARKDOWN_PATH, { onRequest: access.check }, async (request, reply) => {
      const { engine } = access.of(request);
      const { id } = bind(MARKDOWN_QUERY, exactQueryMembers(request));
      const signal = requestSignal(reply, SEARCH_DEADLINE_MS);
      const document = await readMarkdown(deps, { engine, name: id, signal });
      if (document === undefined) throw documentNotFound();
      return reply.type(MARKDOWN_TYPE).send(document.markdown);
    });

    const anybody = pathAccess(deps, { rate: 'search' });
    app.get(LLMS_PATH, { onRequest: anybody.check }, async (request, reply) => {
      const { engine: wanted } = bind(LLMS_QUERY, queryMembers(request));
      const shown = deps.settings.searchPage ? publishedAt(await deps.accounts.listEngines(), request) : [];
      const engine = wanted === undefined ? shown[0] : shown.find(({ id }) => String(id) === wanted);
      if (engine === undefined) throw noPage();
      const pages = await listPages(deps, { engine, limit: MAX_PAGES });
      return reply.type(MARKDOWN_TYPE).send(llmsText(engine, pages));
    });
  };
}

export function documentNotFound(): AppError {
  return new AppError('record.not-found', 'No document of this engine has this id or URL');
}

/** Links of the list. */
const MAX_PAGES = 200;
/** Those that an agent with little room reads. */
const MOST_IMPORTANT = 50;

/** Addresses have no origin: behind a proxy only the reader knows it. */
function llmsText(engine: Engine, pages: readonly ListedPage[]): string {
  const name = oneLine(engine.settings.page?.title ?? engine.name);
  const link = pageLink(engine);
  const parts = [
    `# ${name}`,
    `> Pages of ${name} as Markdown, the most important ones first.`,
    `More are found by the tools of the MCP server at ${MCP_PATH}, with the header \`Authorization: Bearer ${siteTokenOf(engine)}\`.`,
    ...section('Pages', pages.slice(0, MOST_IMPORTANT).map(link)),
    ...section('Optional', pages.slice(MOST_IMPORTANT).map(link)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(title: string, links: readonly string[]): readonly string[] {
  return links.length === 0 ? [] : [`## ${title}`, links.join('\n')];
}

function pageLink({ id: engineId, customerId }: Engine) {
  const path = MARKDOWN_PATH.replace(':customerId', String(customerId)).replace(':engineId', String(engineId));
  return ({ id, title, description }: ListedPage): string => {
    const name = title.replace(/[[\]\\]/g, '\\$&');
    const note = description === '' ? '' : `: ${description}`;
    return `- [${name}](${path}?id=${linkable(id)})${note}`;
  };
}

/** Parentheses would end the link. */
function linkable(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replace(/[()]/g, (char) => (char === '(' ? '%28' : '%29'));
}
