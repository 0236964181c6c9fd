/**
 * Makes a test for the terms that a query calls up: the whole query, trimmed, inner blanks folded to one, without
 * regard to case, equals the term; in a term `*` stands for any text, `?` for one character. Contract: 2.10.
 */
export function termMatcher(query: string): (term: string) => boolean {
  const folded = fold(query);
  const chars = [...folded];
  return (term) => {
    const pattern = fold(term);
    return WILDCARD.test(pattern) ? matchesPattern([...pattern], chars) : pattern === folded;
  };
}

const WILDCARD = /[*?]/;

function fold(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Greedy, going back to the last `*` only: O(pattern · text), never exponential. */
function matchesPattern(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let starText = 0;
  for (let i = 0; i < text.length; ) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      starText = i;
    } else if (wanted === '?' || wanted === text[i]) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++starText;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
