import type { CallVerdict } from './circuit-breaker.ts';
import type { DescribedFault, ModelFault } from './model-fault.ts';

const WRONG_SETTINGS_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);
const SETTINGS_FAULTS: ReadonlySet<ModelFault> = new Set(['settings', 'host-not-allowed']);
/** What the request was at fault for, or a slow reader, or the short time of a rewriting: nothing about the model. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);
const REQUEST_FAULTS: ReadonlySet<ModelFault> = new Set(['context-too-long', 'too-large', 'empty', 'timeout']);

/** What a fault tells the circuit breaker about the model. */
export function verdictOfFault(fault: DescribedFault): Exclude<CallVerdict, 'succeeded'> {
  if (isOfSettings(fault)) return 'failed-settings';
  return isOfRequest(fault) ? 'dropped' : 'failed';
}

/** Whether the request was at fault: another one may do better at once. */
function isOfRequest({ reason, status = 0 }: DescribedFault): boolean {
  return REQUEST_FAULTS.has(reason) || (reason === 'http-status' && REQUEST_STATUSES.has(status));
}

/** Whether key, name, address or form of our requests are wrong: for the operator to mend. */
export function isRefusedByModel(fault: DescribedFault): boolean {
  return isOfSettings(fault) || (fault.reason === 'http-status' && fault.status === 400);
}

function isOfSettings({ reason, status = 0 }: DescribedFault): boolean {
  return SETTINGS_FAULTS.has(reason) || (reason === 'http-status' && WRONG_SETTINGS_STATUSES.has(status));
}
