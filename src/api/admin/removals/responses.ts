import type { Removal } from '../../../storage/removal-store.ts';
import { timeText } from '../responses.ts';

export function removalBody(removal: Removal) {
  const { runId, firstAt, at, asked, origin, ...rest } = removal;
  return {
    ...rest,
    host: origin,
    run: runId ?? null,
    firstAt: timeText(firstAt),
    at: timeText(at),
    asked: asked ?? null,
  };
}
