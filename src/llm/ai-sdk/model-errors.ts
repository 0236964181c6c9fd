import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  LoadSettingError,
  NoSuchModelError,
  TypeValidationError,
} from 'ai';
import { type AppError, toAppError } from '../../core/errors.ts';
import { type ModelFault, type ModelFaultDetails, modelFaultOf, modelUnavailable } from '../model-fault.ts';

const FAULT_BY_CODE: Readonly<Record<string, ModelFault>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ETIMEDOUT: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
};
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_)/;
/** How providers say that a prompt is too long: code, type or text of the body. */
const CONTEXT_TOO_LONG =
  /context_length|context[ _](?:length|size|window)|(?:prompt|input) is too long|too many (?:input )?tokens|token count [^.]*exceeds/i;
/** A key, a region or a model that a provider package looks for in vain. */
const SETTINGS_ERRORS = [LoadAPIKeyError, LoadSettingError, NoSuchModelError];
const CONTEXT_STATUSES: ReadonlySet<number> = new Set([400, 413]);
const MAX_CAUSES = 5;

/** The error of the port for whatever the client threw or sent as an error part. */
export function modelErrorOf(error: unknown): AppError {
  const causes = causesOf(error);
  const known = causes.find((cause) => modelFaultOf(cause) !== undefined);
  if (known !== undefined) return toAppError(known);
  const refused = causes.find(isRefusal);
  if (refused !== undefined) return refusalOf(refused);
  return modelUnavailable(...faultOf(causes));
}

function faultOf(causes: readonly unknown[]): [ModelFault, ModelFaultDetails?] {
  for (const cause of causes) {
    const code = codeOf(cause);
    const fault = code === undefined ? undefined : (FAULT_BY_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : undefined));
    if (fault !== undefined && code !== undefined) return [fault, { code }];
  }
  if (causes.some((cause) => JSONParseError.isInstance(cause) || TypeValidationError.isInstance(cause))) {
    return ['broken-frame'];
  }
  if (causes.some((cause) => InvalidResponseDataError.isInstance(cause))) return ['no-end'];
  if (causes.some((cause) => SETTINGS_ERRORS.some((kind) => kind.isInstance(cause)))) return ['settings'];
  return causes[0] instanceof Error ? ['unknown'] : ['error-frame'];
}

/** A status from 300 on; the client also wraps faults of good answers into errors with their status. */
function isRefusal(cause: unknown): cause is APICallError & { readonly statusCode: number } {
  return APICallError.isInstance(cause) && cause.statusCode !== undefined && cause.statusCode >= 300;
}

function refusalOf({ statusCode, responseBody = '', responseHeaders }: APICallError & { readonly statusCode: number }) {
  const details = { status: statusCode, ...retryAfter(responseHeaders) };
  const isTooLong = CONTEXT_STATUSES.has(statusCode) && CONTEXT_TOO_LONG.test(responseBody);
  return modelUnavailable(isTooLong ? 'context-too-long' : 'http-status', details);
}

/** Seconds, or a date (RFC 9110, 10.2.3): that of the answer tells how far away it is, whatever our clock says. */
function retryAfter(headers: Readonly<Record<string, string>> = {}): ModelFaultDetails {
  const { 'retry-after': after, date = '' } = headers;
  if (after === undefined) return {};
  const ms = /^\d+(?:\.\d+)?$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.parse(date);
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, Math.round(ms)) };
}

function causesOf(error: unknown): readonly unknown[] {
  const causes = [error];
  while (causes.length < MAX_CAUSES) {
    const last = causes.at(-1);
    if (!(last instanceof Error) || last.cause === undefined) break;
    causes.push(last.cause);
  }
  return causes;
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
