const FENCED = /^(?:`{3,}|~{3,})/m;
const INLINE_CODE = /^`[^`]+`$/;
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const ROW = /\S \| \S/;
/** A name and its value: the words of the name are few, or begin as a name does. */
const NAMED_VALUE = /^(?:[^\s:]+(?: [^\s:]+){0,3}|[\p{Lu}\p{N}][^:.!?]{0,99}): \S/u;
/** Marks of emphasis and code may stand behind it, and the number of a footnote. */
const END_MARK = /[.!?…。！？।؟]["'”’»」』)\]*_`]*(?:(?<!\p{N}.)\d{1,2}(?:,\d{1,2})*)?$/u;
const OPENING_MARKS = /^["'“‘«„([*_#>¿¡\s]+/u;
/** Plain words alone: `npm`, `iPhone`, `sqlite3_open()` and `/etc` are names where they have anything else in them. */
const LOWER_WORD = /^\p{Ll}[\p{Ll}'’-]*(?=[\s,;:.!?)]|$)/u;
/** What a sentence goes on with, or a cell ends with; `.htaccess`, `--help` and `/etc` are names. */
const RESIDUE = /^(?:[,;:!?)\]}%|»”…–—=]|[.&/-](?![\p{L}\p{N}./-]))/u;

/**
 * Whether a unit of an answer (a segment, without its markers) is by its shape no whole thing to say. Whole are code, rows
 * of a table, items of a list, a name with its value, and sentences; a line in front of them that ends in a colon is
 * whole where another unit follows (`next`). A fragment
 * - begins with the punctuation that something before it left, or has not one word;
 * - begins in the middle of a sentence: with a word in lower case, items and rows aside;
 * - or ends without the mark of an end.
 *
 * What introduces a segment stands on lines of its own before it and is not judged. The page is not looked at: a sentence
 * that opens with a name in lower case, and an item that is said without its mark and without a full stop, are taken for
 * fragments.
 */
export function isFragment(unit: string, next: string | undefined): boolean {
  const text = unit.trim();
  if (FENCED.test(text)) return false;
  const line = text.slice(text.lastIndexOf('\n') + 1).trim();
  const body = line.replace(ITEM, '');
  if (INLINE_CODE.test(body)) return false;
  if (RESIDUE.test(body)) return true;
  if (ROW.test(body)) return false;
  if (!/\p{L}{2}/u.test(body)) return true;
  if (body !== line || NAMED_VALUE.test(line)) return false;
  if (LOWER_WORD.test(line.replace(OPENING_MARKS, ''))) return true;
  const isIntroduction = /[:：]$/.test(line) && next !== undefined;
  return !isIntroduction && !END_MARK.test(line);
}

/** Those of the units of an answer that are fragments. */
export function fragmentsOf(units: readonly string[]): readonly string[] {
  return units.filter((unit, index) => isFragment(unit, units[index + 1]));
}
