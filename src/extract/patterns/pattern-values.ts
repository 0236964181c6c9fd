import type { LinearPattern, PatternMatch } from './linear-pattern.ts';

/** What matching may cost: characters that are read, and steps. False when that is used up. */
export type PatternWork = {
  match(chars: number): boolean;
  visit(steps: number): boolean;
};

/** The first named group that matched, else the first group, else the whole match; undefined without one. */
export function valueOfMatch(pattern: LinearPattern, text: string, work: PatternWork): string | undefined {
  const found = work.match(text.length) ? find(pattern, text, { from: 0, work }) : undefined;
  if (found === undefined) return undefined;
  const [named] = found.named.values();
  return named ?? found.groups.find((group) => group !== undefined) ?? text.slice(found.start, found.end);
}

/** The text with every match replaced; `$1`, `$<name>`, `$&` and `$$` stand for parts of the match. */
export function replaceMatches(
  pattern: LinearPattern,
  text: string,
  { replacement, work }: { readonly replacement: string; readonly work: PatternWork },
): string {
  if (!work.match(text.length)) return text;
  const parts: string[] = [];
  let at = 0;
  for (let found = find(pattern, text, { from: 0, work }); found !== undefined; ) {
    parts.push(text.slice(at, found.start), expanded(replacement, text, found));
    at = found.end;
    const from = found.end > found.start ? found.end : found.end + 1;
    found = find(pattern, text, { from, work });
  }
  return parts.join('') + text.slice(at);
}

function find(
  pattern: LinearPattern,
  text: string,
  { from, work }: { readonly from: number; readonly work: PatternWork },
): PatternMatch | undefined {
  if (from > text.length) return undefined;
  return pattern(text, { from, spend: (steps) => work.visit(steps) });
}

function expanded(replacement: string, text: string, { start, end, groups, named }: PatternMatch): string {
  return replacement.replace(/\$(?:(\$)|(&)|(\d)|<([^>]*)>)/g, (_, dollar, whole, index, name) => {
    if (dollar !== undefined) return '$';
    if (whole !== undefined) return text.slice(start, end);
    return (index === undefined ? named.get(name) : groups[Number(index) - 1]) ?? '';
  });
}
