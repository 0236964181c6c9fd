/** Decoded bytes that must be there before a body can be told apart: `%PDF-` may stand anywhere in them. */
export const SNIFF_BYTES = 1_024;

const MAGIC = [
  [0x50, 0x4b, 0x03, 0x04], // zip: office documents, EPUB
  [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], // OLE: older office documents
  [0x7b, 0x5c, 0x72, 0x74, 0x66], // {\rtf
] as const;

const FILE_TYPES =
  /^application\/(?:pdf|msword|rtf|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-))/;
const UNREAD_TYPES = /^(?:image|audio|video|font)\//;

/** True for what a parser outside of this process reads. Bytes win over the media type: error pages call themselves PDF. */
export function isFileBody(head: Uint8Array, mediaType: string): boolean {
  if (MAGIC.some((magic) => magic.every((byte, at) => head[at] === byte))) return true;
  if (startsLikeMarkup(head)) return false;
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES));
  return start.includes('%PDF-') || FILE_TYPES.test(mediaType);
}

/** True for media types without text. SVG has some, but nobody searches it. */
export function isUnreadType(mediaType: string): boolean {
  return UNREAD_TYPES.test(mediaType);
}

function startsLikeMarkup(head: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(head.subarray(0, 256)).toString('latin1'));
}
