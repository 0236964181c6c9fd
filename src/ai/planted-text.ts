/** Places on the web, addresses, and words such as `KX-4711` that somebody is to type or pass on. */
const PLANTED =
  /\bhttps?:|\bwww\.|@[\w-]+\.\w|\b[\w-]+\.(?:com|net|org|io|info|biz|xyz)\b|\b(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Z\d_-]{5,}\b/;

/** Whether a text holds what instructions are planted in pages for. */
export function mayBePlanted(text: string): boolean {
  return PLANTED.test(text);
}
