import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, invalidRequest } from '../../core/errors.ts';
import type { Engine } from '../../core/records.ts';
import { yieldBriefly } from '../../core/yield.ts';
import { allowsOrigin } from '../cors.ts';
import { siteKeyAccess } from '../guard.ts';
import { requestSignal } from '../request-signal.ts';
import { MCP_PATH } from '../route-table.ts';
import { CONTENT_RULE, type Tool, type ToolDeps } from './tool.ts';
import { callTool, createTools, listedTool, toolsOf } from './tools.ts';

export type McpDeps = ToolDeps & {
  /** Of the product. */
  readonly version: string;
};

export const MCP_MESSAGE = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional().describe('Absent: a notification.'),
  method: z.string().describe('initialize, server/discover, tools/list, tools/call …'),
  params: z.record(z.string(), z.unknown()).optional(),
});

export const MCP_RESULT = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.record(z.string(), z.unknown()).optional(),
});

export const MCP_ERROR = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).nullable(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});

/** Codes of JSON-RPC 2.0 section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * The Model Context Protocol over HTTP, without sessions: each message is answered by itself. What implements the
 * protocol is loaded with the first of them, as an installation without agents is smaller and starts sooner without.
 */
export function mcpRoutes(deps: McpDeps): FastifyPluginAsync {
  return async (app) => {
    const access = siteKeyAccess(deps, { rate: 'search' });
    const tools = createTools(deps);
    const checkOrigin = async (request: FastifyRequest) => {
      if (allowsOrigin(deps.settings, request.headers.origin, access.of(request).engine)) return;
      throw new AppError(
        'auth.forbidden',
        'Pages of this origin may not call: CORS_ALLOWED_ORIGINS lists those that may',
      );
    };
    const onRequest = [yieldBriefly, access.check, checkOrigin];
    app.post(MCP_PATH, { onRequest, errorHandler: sendProtocolError }, async (request, reply) => {
      requireSingle(request.body);
      const { serveMessage } = await import('./serve-message.ts');
      const granted = access.of(request);
      const own = toolsOf(tools, granted.engine);
      const signalWithin = (deadlineMs: number) => requestSignal(reply, deadlineMs);
      const report = { log: deps.log, requestId: request.id, isAwaited: () => !request.raw.socket.destroyed };
      const { status, type, text } = await serveMessage(factsOf(granted.engine, own, deps.version), {
        body: request.body,
        headers: request.headers,
        callTool: (name, sent) => {
          const tool = own.find((each) => each.name === name);
          return tool && callTool(tool, { sent, access: granted, signalWithin }, report);
        },
      });
      reply.code(status);
      return type === undefined ? reply.send() : reply.type(type).send(text);
    });
  };
}

function factsOf({ name }: Engine, tools: readonly Tool[], version: string) {
  const found = `Searches the documents of ${JSON.stringify(name)}: search finds them, fetch_document reads one.`;
  return { title: name, version, instructions: `${found} ${CONTENT_RULE}`, tools: tools.map(listedTool) };
}

/** One message has one rate; revisions of the protocol since 2025-06-18 have no batches. */
function requireSingle(body: unknown): void {
  if (Array.isArray(body)) throw invalidRequest([{ path: '', message: 'A request takes one message, no batch' }]);
}

/** What is wrong with the message is an error of JSON-RPC; what is wrong with the request has the body of all errors. */
function sendProtocolError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof AppError) || error.code !== 'request.invalid') throw error;
  const code = request.body === undefined ? PARSE_ERROR : INVALID_REQUEST;
  const body = { jsonrpc: '2.0', id: null, error: { code, message: error.message } };
  reply.code(400).type('application/json; charset=utf-8').send(body);
}
