/**
 * Whether a whole text fits a pattern, in which `*` stands for any run of characters and `?` for one. Both as lists of
 * code points. Greedy, going back to the last `*` only: O(pattern · text), never exponential.
 */
export function matchesWildcard(pattern: readonly string[], text: readonly string[]): boolean {
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
