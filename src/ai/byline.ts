/** `by Ann Lee · updated 4 March 2026` */
const BYLINE = /^(?:by|von|par|por|di|da|door|av|af|autor:?|author:?) [^.!?]{2,60} [·|–—] [^.!?]{0,40}(?:19|20)\d\d$/iu;

/** Whether a text only tells who wrote the page, and when. */
export function isByline(text: string): boolean {
  return BYLINE.test(text);
}
