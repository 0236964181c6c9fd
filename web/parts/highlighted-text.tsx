import { splitHighlight } from './split-highlight.ts';

/** A highlighted fragment as text nodes, matches in `mark`. */
export function HighlightedText({ fragment }: { readonly fragment: string }) {
  return splitHighlight(fragment).map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text));
}
