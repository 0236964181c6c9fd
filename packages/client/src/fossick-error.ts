import type { ErrorBody } from './generated-types.ts';

type Details = {
  readonly status: number;
  readonly errorCode: string;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly problems?: FossickError['problems'];
  readonly cause?: unknown;
};

/** A request that failed. An abort is none: it rejects with the reason of its signal. */
export class FossickError extends Error {
  /** Of HTTP; 0 = no whole answer came. */
  readonly status: number;
  /**
   * The stable name of what is wrong (docs/errors.md), or what the client found: `connection.failed` = no answer came,
   * `stream.cut` = a text broke off, `answer.foreign` = an answer that is none of the service, from a proxy perhaps.
   */
  readonly errorCode: string;
  /** What the operator finds in the log. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** All faults of a refused request, with where they are: `sources[2].id`. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];

  constructor(message: string, { status, errorCode, requestId, retryAfterSeconds, problems = [], cause }: Details) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FossickError';
    this.status = status;
    this.errorCode = errorCode;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problems = problems;
  }
}

/** Reads an answer with an error status. Contract: 1.7. */
export async function readError(response: Response): Promise<FossickError> {
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
  const { message, errorCode, requestId, errors } = body ?? {};
  const retryAfter = response.headers.get('retry-after') ?? '';
  return new FossickError(message ?? (response.statusText || `Status ${response.status}`), {
    status: response.status,
    errorCode: errorCode ?? 'answer.foreign',
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    problems: errors ?? [],
  });
}
