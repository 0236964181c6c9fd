import { AppError } from '../core/errors.ts';

/** Why a model gave no answer, or no whole one. */
export const MODEL_FAULTS = [
  'refused',
  'dns',
  'tls',
  'reset',
  'http-status',
  'context-too-long',
  'settings',
  'redirect',
  'host-not-allowed',
  'wrong-media-type',
  'too-large',
  'empty',
  'no-end',
  'broken-frame',
  'error-frame',
  'bad-vectors',
  'start-timeout',
  'stalled',
  'timeout',
  'breaker-open',
  'queue-full',
  'queue-timeout',
  'budget-spent',
  'unknown',
] as const;
export type ModelFault = (typeof MODEL_FAULTS)[number];

/** What may be said about a fault: never a text of the provider, a path or a key. */
export type ModelFaultDetails = {
  /** Of `http-status`, `context-too-long` and `redirect`. */
  readonly status?: number;
  /** When the provider wants the next request. */
  readonly retryAfterMs?: number;
  /** Code of the system or of the TLS library. */
  readonly code?: string;
  /** Of `host-not-allowed`: the host with its port, as `LLM_ALLOWED_HOSTS` would name it. */
  readonly host?: string;
  /** Of a model in a folder of ours: what is wrong with it, for the operator. */
  readonly problem?: string;
};

export type DescribedFault = ModelFaultDetails & { readonly reason: ModelFault };

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** An `llm.unavailable`. No cause: errors of a client hold prompts and answers. */
export function modelUnavailable(reason: ModelFault, details: ModelFaultDetails = {}): AppError {
  return new AppError('llm.unavailable', 'The language model gave no usable answer', {
    details: { reason, ...details } satisfies DescribedFault,
  });
}

/** What a caller gets who has aborted the call. */
export function callAborted(): DOMException {
  return new DOMException('The call of the model was aborted', 'AbortError');
}

/** Undefined for any error but `llm.unavailable`. */
export function modelFaultOf(error: unknown): DescribedFault | undefined {
  if (!(error instanceof AppError) || error.code !== 'llm.unavailable') return undefined;
  return { reason: 'unknown', ...error.options.details };
}

/** Whether the same request may succeed a moment later. */
export function isTransient({ reason, status = 0 }: DescribedFault): boolean {
  if (reason === 'refused' || reason === 'reset') return true;
  return reason === 'http-status' && (status >= 500 || TRANSIENT_STATUSES.has(status));
}

/** For the operator: `http-status 404`, `refused ECONNREFUSED`, `settings: what is wrong`. */
export function faultInWords({ reason, status, host, code, problem }: DescribedFault): string {
  const named = status ?? host ?? code;
  return `${reason}${named === undefined ? '' : ` ${named}`}${problem === undefined ? '' : `: ${problem}`}`;
}
