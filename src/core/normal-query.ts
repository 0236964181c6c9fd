/** Code points of the longest query that a search takes. Contract: 1.9. */
export const MAX_QUERY_CHARS = 300;

/**
 * The form under which spellings of a query count as one: lower case, NFC, blanks folded to one. A blank text is `*`,
 * which means everything. Accents stay: they tell words apart in many languages.
 */
export function normalQuery(text: string): string {
  return foldBlanks(text).normalize('NFC').toLowerCase() || '*';
}

/** The text as it was written, without blanks at its ends and with one between words. */
export function foldBlanks(text: string): string {
  return text.trim().replace(/\s+/gu, ' ');
}
