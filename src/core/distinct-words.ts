/** Words that are not blank, trimmed; of spellings that differ in case alone the first one stays. */
export function distinctWords(words: readonly string[]): readonly string[] {
  const byFolded = new Map<string, string>();
  for (const word of words.map((sent) => sent.trim())) {
    const folded = word.toLowerCase();
    if (word !== '' && !byFolded.has(folded)) byFolded.set(folded, word);
  }
  return [...byFolded.values()];
}
