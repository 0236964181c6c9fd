/** A sampled page; `blocks` = 8 bytes each. */
export type SampledPageRow = { host_id: number; rank: number; url_id: number; blocks: Uint8Array };

/** A page that is to be chosen again; `body` is compressed. */
export type PendingPageRow = {
  url_id: number;
  crawler_id: number;
  host_id: number;
  at: number;
  sample_size: number;
  source: string;
  body: Uint8Array;
};
