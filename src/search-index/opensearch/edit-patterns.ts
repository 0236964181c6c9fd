/** A text as it is taken in a regular expression of the servers. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '\\$&');
}

/** Alternatives for a word with one character other, missing or too many, or two neighbours swapped. */
export function oneEdit(word: string): string {
  const units = [...word].map(escapeRegex);
  const forms = new Set<string>();
  for (let i = 0; i <= units.length; i++) {
    const [before, behind] = [units.slice(0, i).join(''), units.slice(i)];
    const rest = behind.slice(1).join('');
    forms.add(`${before}.${behind.join('')}`);
    if (behind.length === 0) continue;
    forms.add(`${before}.${rest}`);
    forms.add(before + rest);
    const [one, other, ...further] = behind;
    if (one !== undefined && other !== undefined) forms.add(before + other + one + further.join(''));
  }
  return [...forms].join('|');
}
