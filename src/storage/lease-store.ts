/**
 * Part of the port `SystemStore`: timed, exclusive rights on a role. Promises:
 * - at most one holder has a lease at any moment; `takeLease` is true for the holder that has it until `until`;
 * - a lease whose time has passed may be taken by anybody; the same holder renews it at any time before;
 * - `giveLease` ends it at once and only for its holder.
 */
export interface LeaseStore {
  takeLease(name: string, holder: string, now: number, until: number): Promise<boolean>;
  giveLease(name: string, holder: string): Promise<void>;
  leaseHolder(name: string, now: number): Promise<string | undefined>;
}
