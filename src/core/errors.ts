/** How the edge shows an error and whether a visit may be tried again. `text` replaces the message for callers. */
export type ErrorPolicy = { readonly status: number; readonly retryable: boolean; readonly text?: string };

const SERVER_TEXT = 'Something went wrong on our side';

/** The one table of errors: code → status, retryable, text. A released code is never reused (docs/errors.md). */
export const ERROR_POLICY = {
  'request.invalid': { status: 400, retryable: false },
  'request.too-large': { status: 413, retryable: false },
  'request.unsupported-type': { status: 415, retryable: false },
  'request.wrong-method': { status: 405, retryable: false },
  'request.too-slow': { status: 408, retryable: true },
  'request.headers-too-large': { status: 431, retryable: false },
  'request.precondition-failed': { status: 412, retryable: false },
  'request.range-not-satisfiable': { status: 416, retryable: false },
  'route.not-found': { status: 404, retryable: false },
  'rate.exceeded': { status: 429, retryable: false },
  'auth.invalid': { status: 401, retryable: false },
  'auth.forbidden': { status: 403, retryable: false },
  'feature.disabled': { status: 403, retryable: false },
  'crawler.not-found': { status: 404, retryable: false },
  'record.not-found': { status: 404, retryable: false },
  'query-id.unknown': { status: 404, retryable: false },
  'record.conflict': { status: 409, retryable: false },
  'record.managed': { status: 409, retryable: false },
  'record.changed': { status: 412, retryable: false },
  'fetch.unavailable': { status: 500, retryable: true, text: SERVER_TEXT },
  'fetch.blocked-address': { status: 500, retryable: false, text: SERVER_TEXT },
  'fetch.too-large': { status: 500, retryable: false, text: SERVER_TEXT },
  'fetch.too-many-redirects': { status: 500, retryable: false, text: SERVER_TEXT },
  'extract.unsupported-type': { status: 500, retryable: false, text: SERVER_TEXT },
  'extract.malformed': { status: 500, retryable: false, text: SERVER_TEXT },
  'extract.encrypted': { status: 500, retryable: false, text: SERVER_TEXT },
  'extract.over-limit': { status: 500, retryable: false, text: SERVER_TEXT },
  'storage.full': { status: 500, retryable: true, text: 'Nothing can be stored at the moment' },
  'storage.unavailable': { status: 500, retryable: true, text: 'Nothing can be read or stored at the moment' },
  'storage.version-mismatch': { status: 500, retryable: false, text: SERVER_TEXT },
  'storage.damaged': { status: 500, retryable: false, text: 'The data of this engine cannot be read' },
  'index.corrupt': { status: 500, retryable: true, text: 'The index of this engine is being repaired' },
  'index.unavailable': { status: 503, retryable: true, text: 'The index cannot be reached at the moment' },
  'index.too-large': { status: 500, retryable: false, text: SERVER_TEXT },
  'search.too-costly': { status: 400, retryable: false },
  'search.timeout': { status: 429, retryable: true, text: 'The search took too long' },
  'summary.insufficient-context': { status: 422, retryable: false },
  'llm.unavailable': { status: 500, retryable: true, text: 'No answer can be written at the moment' },
  'stream.unavailable': { status: 502, retryable: true, text: 'No answer can be written at the moment' },
  internal: { status: 500, retryable: false, text: SERVER_TEXT },
} as const satisfies Record<string, ErrorPolicy>;

export type ErrorCode = keyof typeof ERROR_POLICY;

/** One fault of a request: where it is (`sources[2].id`) and one sentence. */
export type Problem = { readonly path: string; readonly message: string };

export type AppErrorOptions = {
  /** Faults of a request, all of them, for status 400. */
  readonly problems?: readonly Problem[];
  /** For the log only; no secrets, page text or paths. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds after which the caller may try again, at least 1. */
  readonly retryAfterSeconds?: number;
  /** Of `rate.exceeded`: calls that may wait or run at once; absent = the bound is none of calls. */
  readonly atOnce?: number;
  readonly cause?: unknown;
};

/** The one error class. `message` is one English sentence for people that names the member and the allowed values. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.options = options;
  }
}

export function policyOf(code: ErrorCode): ErrorPolicy {
  return ERROR_POLICY[code];
}

/** Wraps what is no `AppError` as `internal` and keeps the cause. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('internal', 'Unexpected error', { cause: error });
}

/** The error of a request with the listed faults; the message is the first of them. */
export function invalidRequest(problems: readonly Problem[]): AppError {
  const [first] = problems;
  return new AppError('request.invalid', first === undefined ? 'The request is not valid' : first.message, {
    problems,
  });
}
