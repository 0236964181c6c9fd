import { AppError } from '../../core/errors.ts';
import type { Hop } from '../fetcher.ts';

export type UnavailableReason =
  | 'refused'
  | 'reset'
  | 'truncated'
  | 'protocol'
  | 'timeout'
  | 'tls'
  | 'bad-encoding'
  | 'shutdown';

const SENTENCES: Readonly<Record<UnavailableReason, string>> = {
  refused: 'The server refused the connection',
  reset: 'The server closed the connection',
  truncated: 'The body is shorter than the server announced',
  protocol: 'The answer is not valid HTTP',
  timeout: 'The server did not answer in time',
  tls: 'No secure connection could be made',
  'bad-encoding': 'The body could not be decoded',
  shutdown: 'The fetch was stopped',
};

export function unavailable(reason: UnavailableReason, cause?: unknown): AppError {
  return new AppError('fetch.unavailable', SENTENCES[reason], { details: { reason }, cause });
}

export function tooLarge(reason: 'too-large' | 'bomb'): AppError {
  return new AppError('fetch.too-large', 'The body exceeds the size limit', { details: { reason } });
}

export type RedirectFailure = {
  readonly reason: 'too-many-redirects' | 'redirect-loop' | 'redirected-out';
  readonly hops: readonly Hop[];
  /** Reason of the verdict that refused the hop. */
  readonly refusal?: string;
};

export function badRedirect(failure: RedirectFailure): AppError {
  return new AppError('fetch.too-many-redirects', 'The redirects end nowhere', { details: failure });
}

const REASON_BY_CODE: ReadonlyMap<string, UnavailableReason> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'refused'],
  ['ENETUNREACH', 'refused'],
  ['EADDRNOTAVAIL', 'refused'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_DESTROYED', 'shutdown'],
  ['UND_ERR_CLOSED', 'shutdown'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'truncated'],
]);

/** The failure of a request, connection or body; `fetch.*` errors pass unchanged. */
export function toFetchError(error: unknown, stage: 'headers' | 'body'): AppError {
  if (error instanceof AppError) return error;
  const code = String((error as { code?: unknown })?.code ?? '');
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return tooLarge('too-large');
  const reason = REASON_BY_CODE.get(code) ?? reasonByFamily(code);
  return unavailable(stage === 'body' && (reason === 'reset' || isEarlyEnd(error)) ? 'truncated' : reason, error);
}

/** The connection ended within a chunked body; undici's parser gives this error no code. */
function isEarlyEnd(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError' && error.message.includes('Invalid EOF state');
}

function reasonByFamily(code: string): UnavailableReason {
  const isTls = /^(?:ERR_(?:TLS|SSL)_|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO$)/.test(code);
  return isTls ? 'tls' : 'protocol';
}
