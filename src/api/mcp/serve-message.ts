import type { IncomingHttpHeaders } from 'node:http';
import {
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { quoted } from '../error-body.ts';
import type { CalledTool, ListedTool } from './tools.ts';

export type ServerFacts = {
  /** Shown to people. */
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ListedTool[];
};

export type Message = {
  /** Parsed JSON of the body: one message. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Undefined = there is no tool of this name. */
  readonly callTool: (name: string, sent: unknown) => Promise<CalledTool> | undefined;
};

export type Reply = { readonly status: number; readonly type: string | undefined; readonly text: string };

/** The handler reads no address: any will do. */
const ADDRESS = 'http://localhost/mcp';

/**
 * Answers one message by a server of its own, which ends with it: protocol revision 2026-07-28, and those of 2025 and
 * 2024, whose answers are event streams of one event.
 */
export async function serveMessage(facts: ServerFacts, { body, headers, callTool }: Message): Promise<Reply> {
  const handler = createMcpHandler(() => createServer(facts, callTool), {
    // Tools of an engine do not change while somebody listens: there is nothing to subscribe to.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  const request = new Request(ADDRESS, { method: 'POST', headers: requestHeaders(headers) });
  const response = await handler.fetch(request, { parsedBody: body });
  const type = response.headers.get('content-type') ?? undefined;
  return { status: response.status, type, text: await response.text() };
}

function createServer({ title, version, instructions, tools }: ServerFacts, callTool: Message['callTool']): Server {
  const server = new Server({ name: 'fossick', title, version }, { capabilities: { tools: {} }, instructions });
  // Readonly forms of the same.
  server.setRequestHandler('tools/list', () => ({ tools: tools as unknown as ListToolsResult['tools'] }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: sent = {} } }) => {
    const result = await callTool(name, sent);
    if (result === undefined) throw unknownTool(name);
    return result as CallToolResult;
  });
  return server;
}

function unknownTool(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${quoted(name)}`);
}

/** The body was read by the rules of this interface, and is JSON. */
function requestHeaders(headers: IncomingHttpHeaders): Headers {
  const passed = new Headers({ 'Content-Type': 'application/json' });
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed.set(name, value);
  }
  return passed;
}

const PASSED = ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;
