/** A sentence of the documentation: what stands in `backticks` is code. */
export function Described({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}</>;
}
