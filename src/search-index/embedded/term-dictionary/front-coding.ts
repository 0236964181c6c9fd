/** Items of a block: one whole text, 15 that say how much they share with the one before. */
export const BLOCK = 16;

/** `bytes` of the blocks and their offsets, one more than there are blocks. */
export type FrontCodedBytes = { readonly bytes: Uint8Array; readonly blocks: Uint32Array };
