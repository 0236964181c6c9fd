export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
