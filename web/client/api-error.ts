import type { ErrorBody } from './search-types.ts';

/** A request that failed; `status` 0 = no answer came. */
export class ApiError extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, details: { status: number; requestId?: string; retryAfterSeconds?: number }) {
    super(message);
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Reads an answer with an error status; a body that is not the one of contract 1.7 (a proxy's page) is left out. */
export async function readApiError(response: Response): Promise<ApiError> {
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}));
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(body.message ?? response.statusText, {
    status: response.status,
    ...(body.requestId !== undefined && { requestId: body.requestId }),
    ...(Number.isFinite(retryAfterSeconds) && { retryAfterSeconds }),
  });
}
