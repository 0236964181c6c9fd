import type { ExtractionStatus, FileExtraction } from '../extraction.ts';

/** A file without text: why. */
export function unreadFile(status: ExtractionStatus, reason: string): FileExtraction {
  return { status, reason, properties: {}, pages: [], paged: false };
}

/** Text that leaves a parser (reliability: file parsers). */
const MAX_TEXT_CHARS = 5 * 1024 * 1024;

/** Cuts the pages at the text limit; what was cut is over the limit, and its text is kept. */
export function withinTextLimit(file: FileExtraction): FileExtraction {
  let left = MAX_TEXT_CHARS;
  const pages = file.pages.map((page) => {
    const kept = page.slice(0, Math.max(0, left));
    left -= page.length;
    return kept;
  });
  return left >= 0 ? file : { ...file, status: 'over-limit', reason: 'The text is longer than 5 MiB', pages };
}
