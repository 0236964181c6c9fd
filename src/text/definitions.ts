import { tableOf } from './languages/packs.ts';

/** What stands between a thing and what it is, per language, in the present and the past. */
const VERBS = tableOf('definitionVerbs');

const ARTICLES =
  'an?|the|der|die|das|ein|eine|l[ea]s?|une?|des|el|los|las|una?|il|lo|gli|i|de|het|een|o|os|as|um|uma|en|et|ett|den|det';
const NAME = String.raw`(?:(?:${ARTICLES})\s+)?[\p{L}\p{N}][\p{L}\p{N}\p{M} ._/'’+#-]{0,60}?`;
const BEHIND_NAME = String.raw`\s*(?:\([^)]{0,80}\))?,?\s+`;

const PATTERNS = new Map(
  Object.entries(VERBS).map(([language, verbs]) => [
    language,
    new RegExp(String.raw`^[^\p{L}\p{N}]{0,8}(${NAME})${BEHIND_NAME}(?:${verbs})(?![\p{L}\p{N}])`, 'iu'),
  ]),
);
PATTERNS.set('ja', /^(.{1,30}?)(?:とは|は)/u);
PATTERNS.set('zh', /^(.{1,30}?)(?:是|指)/u);
PATTERNS.set('ko', /^(.{1,30}?)(?:이란|란|은|는)\s/u);

/** What opens another kind of sentence: some of the things, a condition, a circumstance, what was said before. */
const NO_NAME: ReadonlyMap<string, RegExp> = new Map([
  [
    'en',
    /^(?:two|three|four|several|many|most|some|all|each|every|any|no|such|other|another|this|that|these|those|there|it|here|if|when|where|while|unless|until|since|because|although|though|for|in|on|at|by|with|without|from|to|as|of|and|but|or|so|then|note|what|which|who|how|why)\b/i,
  ],
  [
    'de',
    /^(?:zwei|drei|viele|manche|alle|jede[rs]?|diese[rs]?|wenn|falls|bei|für|in|im|auf|mit|ohne|aus|von|zu|als|und|aber|oder|was|wer|wie|hier|dort)\b/iu,
  ],
]);

/** A name holds no verb: `X cannot contain`, `the use of X to perform`. */
const NOT_IN_NAME: ReadonlyMap<string, RegExp> = new Map([
  [
    'en',
    /\s(?:to|can|cannot|could|should|must|may|might|will|would|do|does|not|which|that|who|when|if|is|are|it)(?:\s|$)/i,
  ],
]);

/** `is created`, `are not`: what happens to a thing, or what it is not, does not say what it is. */
const NO_DEFINITION: ReadonlyMap<string, RegExp> = new Map([
  [
    'en',
    /^\s(?:not|never|also|only|usually|often|automatically|now|then|(?!based|used to|used for|called|known|designed|intended|meant|named|composed|defined as|made up)\p{L}+ed|set|given|shown|done|used(?! to| for| by)|seen|found|written|built|kept|run|there|in|on|at)\b/iu,
  ],
]);

/** What a sentence says the meaning of: `X` of `X is a …`; undefined when it has no such form in its language. */
export function definedTerm(sentence: string, language: string): string | undefined {
  const found = PATTERNS.get(language)?.exec(sentence);
  const name = found?.[1];
  if (found === undefined || found === null || name === undefined) return undefined;
  const isOther = NO_NAME.get(language)?.test(name) === true || NOT_IN_NAME.get(language)?.test(name) === true;
  const behind = sentence.slice(found.index + found[0].length);
  return isOther || NO_DEFINITION.get(language)?.test(behind) === true ? undefined : name;
}
