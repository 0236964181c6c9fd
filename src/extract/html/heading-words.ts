import type { TextBlock } from './blocks.ts';

/** What a heading announces; the order is that of the model's features. */
const PATTERNS = {
  related:
    /\b(?:related|similar|recommend(?:ed|ations?)|you (?:may|might|could|will|'ll) |also (?:bought|viewed|liked?|interested)|(?:recently|customers|people|frequently) (?:viewed|bought)|bought together|more (?:from|like|in|on|articles|stories|news|products|posts|to)|popular|trending|most (?:read|viewed)|latest|recent|featured|best ?sellers?|top (?:stories|picks|rated)|see also|read (?:next|more)|next (?:article|post|up)|explore|discover|don't miss|ähnliche|verwandte|auch interessant|weitere|liés|similaires|relacionad|lees ook|læs også|les også)/,
  opinions:
    /\b(?:reviews?|ratings?|testimonials?|comments?|(?:what|our) .{0,20}(?:say|saying|think)|responses|replies|leave a|bewertung(?:en)?|kommentare?|commentaires?|opiniones|comentarios)\b/,
  about:
    /\b(?:descriptions?|details?|overview|about|features?|specifications?|specs|ingredients|benefits|included|size|dimensions|materials?|summary|introduction|highlights|(?:produkt)?beschreibung)\b/,
  services:
    /\b(?:newsletter|subscribe|sign ?up|follow|share|contact|get in touch|log ?in|menu|navigation|categor(?:y|ies)|tags|archives?|search|filters?|sort|shop by|refine|legal|company|customer (?:service|care)|quick ?links|resources|information|account|social|cookies?|privacy|languages?|locations?)\b/,
  questions: /\b(?:faqs?|frequently asked|questions?|q ?& ?a)\b/,
  delivery: /\b(?:shipping|delivery|returns?|warranty|payments?|guarantees?)\b/,
} as const;

export const HEADING_WORDS = Object.keys(PATTERNS);
export const RELATED = 1 << HEADING_WORDS.indexOf('related');
export const OPINIONS = 1 << HEADING_WORDS.indexOf('opinions');
const TESTS = Object.values(PATTERNS);
/** Longer ones are sentences. */
const MAX_CHARS = 100;

/** Bits in the order of `HEADING_WORDS`. */
export function headingWordsOf({ text }: TextBlock): number {
  const folded = text.slice(0, MAX_CHARS).toLowerCase();
  let bits = 0;
  for (const [at, pattern] of TESTS.entries()) if (pattern.test(folded)) bits |= 1 << at;
  return bits;
}
