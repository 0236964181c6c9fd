import type { Clock } from '../../core/clock.ts';
import { originOf } from '../../core/url.ts';
import { urlPattern } from '../../core/url-pattern.ts';
import type { DueRow } from '../../storage/frontier-store.ts';
import type { HostHolds } from '../host-holds.ts';

/** Others of a URL template wait that long for the one that looks whether it is still held. */
const WAIT_FOR_PROBE_MS = 1_000;

export type UrlTemplateGate = {
  /** Until when the URL template of the row is held; undefined when the row may be visited. */
  heldUntil(row: DueRow): number | undefined;
  /**
   * Before a visit: until when the row waits; undefined: it begins, and `end` is to be called. Of a URL template whose hold
   * has ended one URL begins at a time, until one has answered well.
   */
  begin(row: DueRow): number | undefined;
  end(row: DueRow): void;
};

/** What a slice may visit of URL templates that were held. */
export function openUrlTemplateGate(holds: Pick<HostHolds, 'of' | 'ofUrlTemplate'>, clock: Clock): UrlTemplateGate {
  const probed = new Map<string, number>();
  const heldUntil = ({ url }: DueRow) => holds.ofUrlTemplate(originOf(url) ?? '', url, clock.now())?.until;
  return {
    heldUntil,
    begin: (row) => {
      const held = heldUntil(row);
      if (held !== undefined) return held;
      const urlTemplate = suspectedUrlTemplate(holds, row);
      if (urlTemplate === undefined) return undefined;
      if (probed.has(urlTemplate)) return clock.now() + WAIT_FOR_PROBE_MS;
      probed.set(urlTemplate, row.urlId);
      return undefined;
    },
    end: (row) => {
      for (const [urlTemplate, urlId] of probed) if (urlId === row.urlId) probed.delete(urlTemplate);
    },
  };
}

function suspectedUrlTemplate(holds: Pick<HostHolds, 'of'>, { url }: DueRow): string | undefined {
  const origin = originOf(url) ?? '';
  const known = holds.of(origin);
  if (known.length === 0) return undefined;
  const pattern = urlPattern(url);
  const isSuspected = known.some(
    ({ urlTemplate, urlTemplateSuspects }) => urlTemplate === pattern && urlTemplateSuspects > 0,
  );
  return isSuspected ? `${origin}${pattern}` : undefined;
}
