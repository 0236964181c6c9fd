import { MCP_ERROR, MCP_MESSAGE, MCP_RESULT } from '../mcp/routes.ts';
import { LLMS_QUERY, MARKDOWN_QUERY } from '../public/markdown.ts';
import { LLMS_PATH, MARKDOWN_PATH, MCP_PATH } from '../route-table.ts';
import type { Operations } from './operation.ts';

/** What agents ask. */
export const AGENT_OPERATIONS: Operations = {
  [`GET ${MARKDOWN_PATH}`]: {
    id: 'documentMarkdown',
    tag: 'Agents',
    summary: 'A document as Markdown',
    description:
      'A head with title, URL, date and language, then the main text. Needs no key where the search page of the engine is published.',
    query: MARKDOWN_QUERY,
    answer: { about: 'The document', type: 'text/markdown' },
    errors: ['record.not-found'],
  },
  [`GET ${LLMS_PATH}`]: {
    id: 'llmsTxt',
    tag: 'Agents',
    summary: 'Documents of an engine, for agents',
    description: 'A list of links in the form of https://llmstxt.org, the most important documents first, at most 200.',
    query: LLMS_QUERY,
    answer: { about: 'The list', type: 'text/markdown' },
    errors: ['route.not-found'],
  },
  [`POST ${MCP_PATH}`]: {
    id: 'mcp',
    tag: 'Agents',
    summary: 'A message of the Model Context Protocol',
    description:
      'Streamable HTTP without sessions: one message of JSON-RPC per request, with `Accept: application/json, text/event-stream`. The key says which engine the tools `search`, `answer` and `fetch_document` read.',
    body: MCP_MESSAGE,
    answer: { about: 'The answer to the message, also as an event', schema: MCP_RESULT, alsoType: 'text/event-stream' },
    alsoAnswers: [
      { status: 202, about: 'A notification was taken' },
      { status: 400, about: 'The message is none of the protocol', schema: MCP_ERROR },
      { status: 404, about: 'The method is not known', schema: MCP_ERROR },
      { status: 406, about: 'The header Accept names too few types', schema: MCP_ERROR },
    ],
  },
};
