import { type AppError, policyOf } from '../../core/errors.ts';
import type { Engine } from '../../core/records.ts';
import type { Log } from '../../observability/logger.ts';
import { makeStrict } from '../binding.ts';
import { asAppError, errorBody } from '../error-body.ts';
import { hasFeature } from '../guard.ts';
import { type JsonSchema, jsonSchemaOf } from '../openapi/json-schema.ts';
import { answerTool } from './answer-tool.ts';
import { documentTool } from './document-tool.ts';
import { searchTool } from './search-tool.ts';
import type { Tool, ToolCall, ToolDeps } from './tool.ts';

/** A tool as the protocol lists it. */
export type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
};

/** What a call gives; `isError` = `text` says what is wrong. */
export type CalledTool = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
};

/** Every tool, in the order of the list. */
export function createTools(deps: ToolDeps): readonly Tool[] {
  return [searchTool(deps), answerTool(deps), documentTool(deps)];
}

/** Those that an engine has. */
export function toolsOf(tools: readonly Tool[], engine: Engine): readonly Tool[] {
  return tools.filter(({ feature }) => feature === undefined || hasFeature(engine, feature));
}

/** They ask this installation only, and change nothing. */
const ANNOTATIONS = { readOnlyHint: true, openWorldHint: false };

export function listedTool({ name, title, description, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input, 'input'),
    outputSchema: jsonSchemaOf(output, 'output'),
    annotations: ANNOTATIONS,
  };
}

export type CallReport = {
  readonly log: Pick<Log, 'error'>;
  readonly requestId: string;
  /** Whether somebody waits for the result: who has left made the call fail. */
  readonly isAwaited: () => boolean;
};

/** Calls a tool; what goes wrong is a result that a model can read. Arguments that are not known are faults. */
export async function callTool(tool: Tool, call: ToolCall, report: CallReport): Promise<CalledTool> {
  try {
    makeStrict(call.sent);
    const { text, structured } = await tool.run(call);
    return { content: [{ type: 'text', text }], structuredContent: structured };
  } catch (cause) {
    return failedCall(asAppError(cause), report);
  }
}

function failedCall(error: AppError, { log, requestId, isAwaited }: CallReport): CalledTool {
  const { details, problems = [] } = error.options;
  const isOurs = policyOf(error.code).status === 500;
  if (isOurs && isAwaited()) log.error({ err: error, requestId, details }, 'request failed');
  const { message, messages } = errorBody(error, requestId);
  const all = new Set(isOurs ? messages : [message, ...problems.map((problem) => problem.message)]);
  return { content: [{ type: 'text', text: `${error.code}: ${[...all].join('\n')}` }], isError: true };
}
