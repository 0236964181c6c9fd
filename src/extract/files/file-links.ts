import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { FileExtraction, Outlink } from '../extraction.ts';
import { absoluteUrl } from '../html/links.ts';

/** Links of a file: one per URL, with its longest text, absolute, without fragment, `http(s)` only. */
export function fileLinks(base: string, links: FileExtraction['links']): readonly Outlink[] {
  const texts = new Map<string, string>();
  for (const { url, text } of links) {
    const target = absoluteUrl(url, base);
    if (target === undefined || (texts.size >= EXTRACT_LIMITS.outlinks && !texts.has(target))) continue;
    const known = texts.get(target) ?? '';
    texts.set(target, text.length > known.length ? text : known);
  }
  return [...texts].map(([url, text]) => ({
    url,
    text: text.slice(0, EXTRACT_LIMITS.linkTextChars),
    place: 'content',
    follow: true,
  }));
}

/** Address of a field of Word that is a link (ECMA-376 part 1, 17.16.5.25); `\\l` before it names a place in the file. */
export function addressOfField(instruction: string): string | undefined {
  return /^\s*HYPERLINK\s+(?:\\[mnot]\s+)*"?([^"\s\\][^"\s]*)/i.exec(instruction)?.[1];
}
