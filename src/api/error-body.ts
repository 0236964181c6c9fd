import { STATUS_CODES } from 'node:http';
import { type AppError, type ErrorCode, type Problem, policyOf } from '../core/errors.ts';

/** The one body of every error status. Contract: 1.7. */
export type ErrorBody = {
  readonly message: string;
  readonly status: string;
  readonly code: number;
  readonly messages: readonly string[];
  readonly requestId: string;
  /** Of the table in docs/errors.md. */
  readonly errorCode: ErrorCode;
  readonly errors?: readonly Problem[];
};

/** Server faults show the table's text, never their own message. */
export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { status: code, text } = policyOf(error.code);
  const message = text ?? error.message;
  const messages = [message, `Support reference: ${requestId}`];
  const problems = code === 400 ? { errors: error.options.problems ?? [] } : {};
  return {
    message,
    status: STATUS_CODES[code] ?? 'Error',
    code,
    messages,
    requestId,
    errorCode: error.code,
    ...problems,
  };
}

/** Text of the caller as a message may repeat it: at most 100 characters. */
export function quoted(text: string): string {
  const chars = [...text];
  return JSON.stringify(chars.length <= 100 ? text : `${chars.slice(0, 99).join('')}…`);
}
