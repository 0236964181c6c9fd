import { REASON_TEXTS } from '../../generated-reasons.ts';
import type { Reason } from '../../generated-types.ts';

/** The sentence of a reason; its word and advice on pointing at it. */
export function ReasonText({ reason }: { readonly reason: Reason }) {
  const { cause, advice } = REASON_TEXTS[reason];
  return (
    <span class="any" title={`${reason}. ${advice ?? 'Nothing is needed.'}`}>
      {cause}
    </span>
  );
}
