import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { json } from 'node:stream/consumers';
import type { SearchQuery } from '../../packages/client/src/index.ts';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { HOSTED_PAGE, PAGE_DEFAULTS } from '../../src/accounts/hosted-page.ts';
import { PAGE_POLICY, writePage } from '../../src/api/search-pages.ts';
import type { Engine } from '../../src/core/records.ts';
import { themeSheet } from '../../src/core/theme-properties.ts';
import { isAboutAnswers, quotePages, streamAnswer } from './recorded-answers.ts';
import { answerSearch, completedDocuments } from './recorded-search.ts';

const DIST = join(import.meta.dirname, '..', '..', 'web', 'dist');
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

const ENGINE: Engine = {
  id: 6,
  customerId: 3,
  name: 'Lindenholm Garden',
  language: 'en',
  settings: { ...ENGINE_DEFAULTS, aiEnabled: true, features: ['AiChat'] },
  publicSettings: PUBLIC_DEFAULTS,
  managedBy: undefined,
  createdAt: 0,
};

/**
 * Serves `web/dist` as the product does, and recorded answers. `page` are settings of the page, `settings` those of the
 * engine; `behaviour` is what answers are from then on.
 */
export async function startSearchPageServer(page: object = {}, settings: Partial<Engine['settings']> = {}) {
  const engine = { ...ENGINE, settings: { ...ENGINE.settings, ...settings, page: HOSTED_PAGE.parse(page) } };
  const loaded: string[] = [];
  const requests: { authorization: string | undefined; body: SearchQuery }[] = [];
  const events: { address: string | undefined; body: Record<string, unknown> }[] = [];
  const asked: { address: string; body: Record<string, unknown> }[] = [];
  const completed: { authorization: string | undefined; query: string }[] = [];
  const behaviour = {
    status: 200,
    settings: {
      optOutCookieTracking: false,
      enableAnonymousTracking: false,
      instantSuggestionsConfiguration: JSON.stringify({ suggestions: [], limit: 0, showRecentSearches: false }),
    },
    settingsStatus: 200,
    answerStatus: 200,
    /** Streams of answers and summaries are refused, and whole ones are quotes. */
    modelFails: false,
    /** Keeps searches back. */
    holdSearches: undefined as Promise<void> | undefined,
    /** Keeps the last piece of an answer back. */
    hold: undefined as Promise<void> | undefined,
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') loaded.push(request.url ?? '');
    if (request.url?.includes('/autocomplete?')) {
      const query = new URL(request.url, 'http://localhost').searchParams.get('query') ?? '';
      completed.push({ authorization: request.headers.authorization, query });
      response.writeHead(behaviour.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(completionsOf(query)));
      return;
    }
    if (request.url?.endsWith('/websites/publicsettings')) {
      response.writeHead(behaviour.settingsStatus, { 'content-type': 'application/json' });
      response.end(JSON.stringify(behaviour.settings));
      return;
    }
    if (request.method !== 'POST') return sendFile(engine, request.url ?? '/', response);
    if (request.url?.includes('/pushstat/')) {
      events.push({ address: request.url, body: (await json(request)) as Record<string, unknown> });
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"id":"0192f6a0-0000-4000-8000-000000000009"}');
      return;
    }
    if (isAboutAnswers(request)) {
      const question = { address: request.url ?? '', body: (await json(request)) as Record<string, unknown> };
      asked.push(question);
      const isStream = question.address.endsWith('/stream');
      if (behaviour.modelFails && !isStream) return quotePages(question, response);
      const status = behaviour.modelFails ? 502 : behaviour.answerStatus;
      if (isStream && status === 200) return streamAnswer(question, response, behaviour.hold);
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(status === 200 ? {} : ERROR_BODY));
      return;
    }
    const body = (await json(request)) as SearchQuery;
    if (body.isInternalSearch !== true) requests.push({ authorization: request.headers.authorization, body });
    await behaviour.holdSearches;
    const answerBody = behaviour.status === 200 ? answerSearch(body) : ERROR_BODY;
    response.writeHead(behaviour.status, { 'content-type': 'application/json' }).end(JSON.stringify(answerBody));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Addresses of what was fetched by GET, in order. */
    loaded,
    requests,
    asked,
    completed,
    events,
    behaviour,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Documents that have a word which begins with the last one typed, as the service has them. Contract: 3. */
function completionsOf(query: string) {
  const suggestions = COMPLETIONS.filter((text) => text.startsWith(query));
  const results = completedDocuments(query);
  return { queryId: '0192f6a0-0000-7000-8000-000000000001', suggestions, results };
}

const COMPLETIONS = ['alpine', 'alpine house', 'alpine plants', 'alpine trough <course>'];

const ERROR_BODY = { message: 'Something went wrong on our side', status: 'Error', code: 500, requestId: 'request-17' };

async function sendFile(engine: Engine, address: string, response: ServerResponse) {
  const path = address.split('?')[0]!;
  if (path.endsWith('/theme.css')) {
    response
      .writeHead(200, { 'content-type': 'text/css' })
      .end(themeSheet((engine.settings.page ?? PAGE_DEFAULTS).theme));
    return;
  }
  if (path !== '/') {
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(await readFile(join(DIST, normalize(path))));
    return;
  }
  const page = await readFile(join(DIST, 'search', 'index.html'), 'utf8');
  const headers = { 'content-type': 'text/html', 'content-security-policy': PAGE_POLICY };
  response.writeHead(200, headers).end(writePage(page, engine, []));
}
