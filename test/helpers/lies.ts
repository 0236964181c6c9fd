import type { Passage } from '../../src/search/passage.ts';
import { corpusPages } from './answer-corpus.ts';
import type { Random } from './random.ts';

/** A sentence of a corpus with where it stands. */
export type Sentence = { readonly text: string; readonly next: string | undefined; readonly passage: Passage };

/** Whole sentences of prose, 7 to 40 words, of the passages. */
export function sentencesOf(passages: readonly Passage[]): readonly Sentence[] {
  return passages.flatMap((passage) =>
    passage.sentences.flatMap(({ text }, i) => {
      const words = text.split(/\s+/).length;
      const isProse = words >= 7 && words <= 40 && /^[\p{Lu}„“"]/u.test(text) && /[.!?]$/.test(text);
      return isProse && !/https?:|[=<>{}|]/.test(text) ? [{ text, next: passage.sentences[i + 1]?.text, passage }] : [];
    }),
  );
}

export function allSentences(): readonly Sentence[] {
  return corpusPages().flatMap(({ passages }) => sentencesOf(passages));
}

type Change = (sentence: Sentence, random: Random, all: readonly Sentence[]) => string | undefined;

export const PREFIXES: Readonly<Record<string, string>> = {
  en: 'According to the documentation, ',
  de: 'Laut der Webseite gilt: ',
  da: 'Ifølge kommunens hjemmeside gælder: ',
};

/** Words that writers exchange freely. */
const SYNONYMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    use: 'employ',
    uses: 'employs',
    create: 'make',
    creates: 'makes',
    run: 'execute',
    shows: 'displays',
    show: 'display',
    allow: 'let',
    allows: 'lets',
    intent: 'require',
    needs: 'requires',
    contains: 'holds',
    provides: 'gives',
    must: 'has to',
    also: 'too',
    very: 'quite',
    see: 'consult',
    set: 'configure',
    change: 'modify',
    via: 'through',
    large: 'big',
    small: 'little',
    begin: 'start',
    get: 'obtain',
    help: 'assist',
    build: 'construct',
    often: 'frequently',
    about: 'roughly',
    near: 'close to',
    usually: 'normally',
    nearly: 'almost',
    keep: 'retain',
    many: 'numerous',
    whole: 'entire',
  },
  de: {
    etwa: 'ungefähr',
    bekommen: 'erhalten',
    meist: 'meistens',
    gibt: 'findet',
    auch: 'ebenfalls',
    kostenlos: 'gratis',
    leihen: 'borgen',
  },
  da: {
    får: 'modtager',
    hjælp: 'støtte',
    gratis: 'uden betaling',
    bruge: 'benytte',
    også: 'ligeledes',
    laver: 'udfører',
    sker: 'foregår',
  },
};

function lowered(text: string): string {
  return /^(?:\p{Lu}\p{Ll}|I\b|A )/u.test(text) && !/^I\b/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}

/** What truthful writers do to a sentence. */
export const TRUE_CHANGES: Readonly<Record<string, Change>> = {
  verbatim: ({ text }) => text,
  prefixed: ({ text, passage }) => (PREFIXES[passage.language] ?? '') + lowered(text),
  clipped: ({ text }) => {
    const parts = text.split(/,\s/);
    return parts.length > 1 && parts[0]!.split(' ').length > 5 ? `${parts[0]}.` : undefined;
  },
  merged: ({ text, next, passage }) => {
    const and = { de: 'und', da: 'og' }[passage.language] ?? 'and';
    const isSentence = next !== undefined && /^\p{Lu}\p{Ll}* .*[.!?]$/u.test(next) && next.split(' ').length < 25;
    return isSentence ? `${text.replace(/[.!?]$/, '')}, ${and} ${lowered(next)}` : undefined;
  },
  synonyms: ({ text, passage }) => {
    const table = SYNONYMS[passage.language] ?? {};
    const changed = text.replace(/\p{L}+/gu, (word) => (Object.hasOwn(table, word) ? table[word]! : word));
    const count = text.split(' ').filter((word) => Object.hasOwn(table, word)).length;
    return changed !== text && count <= 4 ? changed : undefined;
  },
};

const NEGATED: Readonly<Record<string, RegExp>> = {
  en: /\b(is|are|can|will|should|must|was|were|may|has|have|does|do)\b(?! not|n't)/,
  de: /(?<!\p{L})(ist|sind|kann|können|wird|werden|darf|dürfen|gilt|muss)(?!\p{L})(?! nicht)/u,
  da: /(?<!\p{L})(er|kan|skal|må|bliver|får|har|gælder|koster)(?!\p{L})(?! ikke)/u,
};
const NOT: Readonly<Record<string, string>> = { en: 'not', de: 'nicht', da: 'ikke' };
const ANY_NEGATION =
  /\b(?:no|not|never|without|cannot|nor|neither|none|nothing|nobody|ikke|ingen|aldrig|uden|nicht|kein\w*|nie|ohne)\b|n['’]t/iu;

const OPPOSITES: Readonly<Record<string, string>> = {
  en: `enable disable|enabled disabled|before after|minimum maximum|always never|required optional|first last|true false|more
    less|increase decrease|add remove|open closed|winter summer|spring autumn|days weeks|minutes hours|year month|allowed
    forbidden|larger smaller|Sunday Friday|April June|northern southern|adult child|public private|input output|with without`,
  de: 'vor nach|immer nie|Jahre Monate|kalt warm|offen geschlossen|erlaubt verboten|links rechts|Sommer Winter|Montag Freitag|mehr weniger',
  da: 'før efter|uger dage|voksne børn|altid aldrig|åbent lukket|mere mindre|juni august|mandag fredag|større mindre|måned uge|gamle nye',
};

function oppositesOf(language: string): readonly (readonly [string, string])[] {
  return (OPPOSITES[language] ?? '').split('|').flatMap((pair) => {
    const [a = '', b = ''] = pair.trim().split(/\s+/);
    return [[a, b] as const, [b, a] as const];
  });
}

function names(all: readonly Sentence[], language: string): readonly string[] {
  return all
    .filter(({ passage }) => passage.language === language)
    .flatMap(({ text }) => text.match(/(?<=\p{Ll} )\p{Lu}\p{Ll}{3,}/gu) ?? []);
}

/** What untruthful writers do to a sentence; undefined where it offers no hold. */
export const LIES: Readonly<Record<string, Change>> = {
  number: ({ text }, random) =>
    /\d/.test(text) ? text.replace(/\d+/, (digits) => String(Number(digits) + random.whole(1, 7))) : undefined,
  negationAdded: ({ text, passage }) => {
    const changed = text.replace(NEGATED[passage.language]!, `$1 ${NOT[passage.language]}`);
    return changed === text ? undefined : changed;
  },
  negationRemoved: ({ text }) => {
    const changed = text
      .replace(/\b(?:not|never|ikke|aldrig|nicht|nie) /u, '')
      .replace(/\bcannot\b/, 'can')
      .replace(/n['’]t\b/, '')
      .replace(/\bkein(e?)/, 'ein$1')
      .replace(/\bingen\b/, 'en');
    return changed !== text && !ANY_NEGATION.test(changed) ? changed : undefined;
  },
  name: ({ text, passage }, random, all) => {
    const others = names(all, passage.language);
    const changed = text.replace(/(?<=\p{Ll} )\p{Lu}\p{Ll}{3,}/u, (name) => {
      const other = random.pick(others);
      return passage.text.includes(other) || name === other ? name : other;
    });
    return changed === text ? undefined : changed;
  },
  opposite: ({ text, passage }) => {
    for (const [a, b] of oppositesOf(passage.language)) {
      const word = new RegExp(`(?<!\\p{L})${a}(?!\\p{L})`, 'u');
      if (word.test(text) && !passage.text.includes(b)) return text.replace(word, b);
    }
    return undefined;
  },
  splice: (sentence, random, all) => halved(sentence.text, random.pick(all).text),
  spliceNear: ({ text, passage }, random) => {
    const others = sentencesOf([passage]).filter((other) => other.text !== text);
    return others.length === 0 ? undefined : halved(text, random.pick(others).text);
  },
  otherPage: (_, random, all) => random.pick(all).text,
  appended: ({ text, passage }, random, all) => {
    const others = all.filter((other) => other.passage.language === passage.language && /,\s/.test(other.text));
    const tail = random.pick(others).text.split(/,\s/).at(-1)!;
    // What the sentence says itself is said twice then, and no lie.
    return tail.split(' ').length < 4 || text.includes(tail) ? undefined : `${text.replace(/[.!?]$/, '')}, ${tail}`;
  },
};

/** Whether a text is a sentence with words left out, a negation not among them. */
export function isSubsequence(text: string, sentence: string): boolean {
  const [words, there] = [text, sentence].map((one) => one.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []);
  let at = 0;
  const left = there!.filter((word) => words![at] !== word || ++at < 0);
  return at === words!.length && !ANY_NEGATION.test(left.join(' '));
}

/** The first half of one sentence and the second one of another, cut between any two words. */
function halved(first: string, second: string): string {
  const a = first.split(' ');
  const b = second.split(' ');
  return [...a.slice(0, Math.floor(a.length / 2)), ...b.slice(Math.floor(b.length / 2))].join(' ');
}
