import type { Widget } from '../../generated-types.ts';

/** Where visitors reach the api: what the operator has said, else where this page is. */
export function visitorAddress({ address }: Pick<Widget, 'address'>): string {
  return (address ?? location.origin).replace(/\/$/, '');
}
