/** What tools write into a text of their own, which no reader of the file sees. */
const OWN_WORDS: Readonly<Record<string, readonly RegExp[]>> = {
  // Bullets of the second level, and codes of fields.
  docx2txt: [/^\s+o(?=\s)/gm, /\bHYPERLINK\s+"[^"\n]*"(?:\s+\\[a-z](?:\s+"[^"\n]*")?)*/g],
  // What the file says of itself, before its text.
  unrtf: [/^(?:TITLE|AUTHOR|SUBJECT|OPERATOR): .*$/gm, /^.*### (?:creation|revision|print) date: .*$/gm],
  // Where a picture stands; when a remark was made, with its author before it.
  odt2txt: [/\[-- (?:Image|Object): [^\n]*? --\]/g, /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?/g],
};

/** A reference text without what its tool is known to add. */
export function withoutOwnWords(text: string, tool: string | undefined): string {
  return (OWN_WORDS[tool ?? ''] ?? []).reduce((cleaned, own) => cleaned.replace(own, ' '), text);
}
