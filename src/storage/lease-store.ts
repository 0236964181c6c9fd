/**
 * Part of the port `SystemStore`: exclusive rights on a role. Promises:
 * - at most one holder has a lease at any moment; `takeLease` is true for the holder that has it afterwards;
 * - a free lease goes to who asks first, and its holder renews it at any time: each renewal is one more beat;
 * - another takes it only `over` the beat that it names as the last of a holder that is gone: never over a later one;
 * - `giveLease` ends it at once and only for its holder.
 * No times are compared: whether a holder is gone is judged by `createHolderWatch`.
 */
export interface LeaseStore {
  takeLease(input: TakeLease): Promise<boolean>;
  giveLease(name: string, holder: string): Promise<void>;
  findLease(name: string): Promise<Lease | undefined>;
}

export type Lease = {
  readonly holder: string;
  readonly beats: number;
  /** For people: wall time of the holder at its last renewal. */
  readonly renewedAt: number;
};

export type TakeLease = {
  readonly name: string;
  readonly holder: string;
  readonly at: number;
  readonly over?: Pick<Lease, 'holder' | 'beats'> | undefined;
};
