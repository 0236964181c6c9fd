import type { FileBlock } from '../extraction.ts';

/** Of a file; more are those of a program. */
const MAX_DESCRIPTIONS = 2_000;

/**
 * What a file says beside its text: remarks of those who worked on it, and descriptions of pictures. Readers of the
 * text do not see it, so that it is searched and never quoted. Each once, in order.
 */
export function asideBlocks(texts: Iterable<string>): readonly FileBlock[] {
  const asides = new Set<string>();
  for (const text of texts) {
    const line = text.replace(/\s+/g, ' ').trim();
    if (line !== '' && !isAddress(line) && asides.size < MAX_DESCRIPTIONS) asides.add(line);
  }
  return [...asides].map((text) => ({ kind: 'paragraph', level: 0, text, grounding: false }));
}

/** Programs describe a picture by where it came from: a file name, a path, an address. */
function isAddress(line: string): boolean {
  return /^(?:\S+\.[a-z]\w{1,4}|[a-z]+:[/\\].*|\\\\.*)$/i.test(line);
}
