/** Control characters but tabs and line ends, and halves of pairs that stand alone (text that was cut between them). */
const CONTROLS = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;
/** Those that part words: vertical tab, form feed, next line. */
const BLANKS = /[\v\f\u0085]/;

/** A text without what no reader shows, whatever file or page it is from. O(characters). */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, (control) => (BLANKS.test(control) ? ' ' : ''));
}
