import type { QueuedUrl } from '../../crawl/queue-urls.ts';

/** Contract: 9. */
export function queuedUrlBody({ url, status }: QueuedUrl) {
  return { Url: url, Status: status };
}
