export type HighlightPiece = { readonly text: string; readonly isMatch: boolean };

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Takes a highlighted fragment apart into plain text pieces, so that it can be shown without parsing markup. The text
 * between the tags is escaped by the server; any other tag stays visible as text. Contract: 2.8.
 */
export function splitHighlight(fragment: string, preTag = '<b>', postTag = '</b>'): readonly HighlightPiece[] {
  const [before = '', ...marked] = fragment.split(preTag);
  const pieces = [{ text: before, isMatch: false }];
  for (const part of marked) {
    const end = part.indexOf(postTag);
    const cut = end === -1 ? part.length : end;
    pieces.push({ text: part.slice(0, cut), isMatch: true });
    pieces.push({ text: part.slice(cut + postTag.length), isMatch: false });
  }
  return pieces.filter(({ text }) => text !== '').map(({ text, isMatch }) => ({ text: decodeEntities(text), isMatch }));
}

/** The five characters that the server escapes, in any of their spellings; what is no such entity stays as it is. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? entity;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
  });
}
