/**
 * Which store something was made of. `storeId` is given once, when the store is made; `epoch` is a new one whenever the
 * store may have lost what it had acknowledged: when it was restored, or found shortened. Both are random.
 */
export type StoreIdentity = { readonly storeId: string; readonly epoch: string };

export function isSameStore(a: StoreIdentity, b: StoreIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch;
}
