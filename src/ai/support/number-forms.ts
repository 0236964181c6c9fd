/** Digits with separators; groups of three may stand apart. None inside words: `utf8` and `A4` are names. */
export const NUMBER =
  /(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}_])\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}])|(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}_])\d{1,15}(?:[.,:’']\d{1,15}){0,5}/gu;

const GROUPED = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * What a written number may mean, as comparable texts: `3.500` is 3.5 in one language and 3500 in another, 18:00 is
 * 18. Versions and dates of three parts stay as they are.
 */
export function numberForms(written: string): readonly string[] {
  const plain = written.replace(/[\u00a0\u202f ’']/g, '').replaceAll(':', '.');
  const parts = plain.split(/[.,]/);
  const forms = new Set<string>();
  if (parts.length <= 2) forms.add(String(Number(plain.replace(',', '.'))));
  if (GROUPED.test(plain)) forms.add(String(Number(parts.join(''))));
  if (parts.length > 2) {
    forms.add(parts.join('.'));
    const [last = ''] = parts.slice(-1);
    if (/[.,]/.test(plain) && new Set(plain.match(/[.,]/g)).size === 2)
      forms.add(String(Number(`${parts.slice(0, -1).join('')}.${last}`)));
  }
  return [...forms];
}
