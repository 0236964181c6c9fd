/** Fragments of one field as one line: an ellipsis between two, never two of them. */
export function joinFragments(fragments: readonly string[]): string {
  return fragments.join(' … ').replaceAll(/(?: …)+(?= … )/g, '');
}
