/** Lines that stand at the same end of at least this share of the pages, from this many pages on, are page furniture. */
const REPEATED_SHARE = 0.3;
const MIN_PAGES = 4;
const EDGE_LINES = 2;
/** A line shorter than this share of the page's longest one ends its paragraph. */
const SHORT_LINE = 0.6;

/** Text as people read it: running titles once, words joined over line ends, ligatures opened, lines to paragraphs. */
export function tidyPages(pages: readonly string[]): readonly string[] {
  const lines = pages.map((page) =>
    page
      .split('\n')
      .map(tidyLine)
      .filter((line) => line !== ''),
  );
  return withoutRunningLines(lines).map(joinLines);
}

function tidyLine(line: string): string {
  return line
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutRunningLines(pages: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (pages.length < MIN_PAGES) return pages;
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(edgeLines(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const seen = new Set<string>();
  return pages.map((page) =>
    page.filter((line, at) => {
      const key = keyOf(line);
      const isEdge = at < EDGE_LINES || at >= page.length - EDGE_LINES;
      if (!isEdge || (counts.get(key) ?? 0) < pages.length * REPEATED_SHARE) return true;
      const isFirst = !seen.has(key);
      seen.add(key);
      return isFirst;
    }),
  );
}

function edgeLines(page: readonly string[]): readonly string[] {
  return [...page.slice(0, EDGE_LINES), ...page.slice(-EDGE_LINES)];
}

/** Page numbers differ; the rest of a running line does not. */
function keyOf(line: string): string {
  return line.replace(/\d+/g, '0');
}

function joinLines(lines: readonly string[]): string {
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const last = paragraphs.at(-1);
    if (last === undefined || !isOpen) paragraphs.push(line);
    else if (/\p{L}-$/u.test(last) && /^\p{Ll}/u.test(line))
      paragraphs[paragraphs.length - 1] = last.slice(0, -1) + line;
    else paragraphs[paragraphs.length - 1] = `${last} ${line}`;
    isOpen = line.length >= longest * SHORT_LINE && !/[.!?:。]["'”’)]?$/.test(line);
  }
  return paragraphs.join('\n');
}
