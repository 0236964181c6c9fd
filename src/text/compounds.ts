import { foldWord } from './folding.ts';
import { stemWord } from './stemming.ts';
import { stopWordsOf } from './stop-words.ts';

/** A folded surface word of a site's documents. */
export type KnownWord = {
  readonly word: string;
  /** In which its stem stands alone. */
  readonly documents: number;
  readonly stem: string;
  /** Other forms than itself that the word has at the end of a compound's stem. */
  readonly tails: readonly string[];
};

/** What is known of one language: its words, and its documents. */
export type LanguageWords = { readonly documents: number; readonly words: readonly KnownWord[] };

export type Compound = {
  /** Its 2 to 4 parts in order, as known words. */
  readonly words: readonly string[];
  /** Stems of the parts and of the known words that some of them form together, each once. */
  readonly stems: readonly string[];
};

/** Splits written-together words into words that the site's documents know. Immutable. */
export type Vocabulary = {
  /** 0 = knows nothing. Grows with every learning of an engine. */
  readonly number: number;
  readonly languages: ReadonlyMap<string, LanguageWords>;
  /**
   * Parts of the word with this stem; undefined when it is no compound. The same stem is always split in the same
   * way, so all forms of a word share their parts. 0.4 µs for a word that ends in no known one, else 3 µs.
   */
  split(stem: string, language: string): Compound | undefined;
};

/** Documents in which a word stands alone to be known. */
export const KNOWN_DOCUMENTS = 3;
/** Words of three letters are often something else: they need 1 % of the documents too, 50 at most. */
const SHORT_WORD_RATIO = 0.01;
const SHORT_WORD_DOCUMENTS = 50;
const MIN_PART_LETTERS = 3;
const MIN_COMPOUND_LETTERS = 7;
const MAX_PARTS = 4;
/** First parts of one and of two syllables: a stemmer cuts the end of a compound by what stands before it. */
const FIRST_PARTS = ['land', 'talenland'];
const LETTERS_ONLY = /^\p{L}+$/u;

type Part = { readonly word: string; readonly stem: string; readonly letters: number; readonly log: number };

/** A beginning of a word cut into parts: the last of them, where it stands, and what is before it. */
type Cut = { readonly before: Cut | undefined; readonly part: Part; readonly start: number; readonly end: number };
type Step = { readonly cut: Cut; readonly logs: number };
/** By place in the word, then by number of parts before it. */
type Steps = (Step | undefined)[][];

class LanguageSplitter {
  private readonly rules: CompoundRules;
  /** Parts by how they are written at the beginning or in the middle, and at the end of a compound's stem. */
  private readonly heads = new Map<string, Part>();
  private readonly tails = new Map<string, Part>();
  private readonly documentsByStem = new Map<string, number>();

  constructor(language: string, rules: CompoundRules, { words, documents }: LanguageWords) {
    this.rules = rules;
    const shortDocuments = shortWordDocuments(documents);
    const stopWords = new Set([...stopWordsOf(language)].map(foldWord));
    const parts: Part[] = [];
    for (const known of words) {
      const { word, documents: count, stem, tails } = known;
      this.documentsByStem.set(stem, Math.max(count, this.documentsByStem.get(stem) ?? 0));
      if (!canBePart(known) || stopWords.has(word)) continue;
      if (word.length > MIN_PART_LETTERS || count >= shortDocuments) {
        const part = { word, stem, letters: word.length, log: Math.log(count) };
        parts.push(part);
        this.addForms(part, tails);
      }
    }
    for (const part of parts) this.addShortened(part);
  }

  split(stem: string): Compound | undefined {
    const ends = this.knownEnds(stem);
    if (ends.length === 0) return undefined;
    const beginnings = this.cutBeginnings(stem);
    let best: Cut | undefined;
    let bestMean = Math.log(this.documentsByStem.get(stem) ?? 0);
    for (const { start, part } of ends) {
      for (const [parts, step] of beginnings[start]!.entries()) {
        const mean = step === undefined ? Number.NEGATIVE_INFINITY : (step.logs + part.log) / (parts + 1);
        if (step === undefined || mean <= bestMean) continue;
        bestMean = mean;
        best = { before: step.cut, part, start, end: stem.length };
      }
    }
    return best === undefined ? undefined : this.compoundOf(stem, best);
  }

  private knownEnds(stem: string): { readonly start: number; readonly part: Part }[] {
    const ends: { start: number; part: Part }[] = [];
    for (let start = stem.length - 2; start >= MIN_PART_LETTERS; start--) {
      const part = this.tails.get(stem.slice(start));
      if (part !== undefined && start + part.letters >= MIN_COMPOUND_LETTERS) ends.push({ start, part });
    }
    return ends;
  }

  /** Per place and number of parts the most frequent ones that the word before that place consists of. */
  private cutBeginnings(stem: string): Steps {
    const steps: Steps = Array.from({ length: stem.length }, () => []);
    this.extend(steps, { stem, start: 0, parts: 1 }, undefined);
    for (let start = MIN_PART_LETTERS; start < stem.length; start++) {
      for (let parts = 2; parts < MAX_PARTS; parts++) {
        const from = steps[start]![parts - 1];
        if (from !== undefined) this.extend(steps, { stem, start, parts }, from);
      }
    }
    return steps;
  }

  /** Enters every known word that begins at a place as the part with this number. */
  private extend(
    steps: Steps,
    { stem, start, parts }: { readonly stem: string; readonly start: number; readonly parts: number },
    from: Step | undefined,
  ): void {
    for (let end = start + MIN_PART_LETTERS; end < stem.length; end++) {
      const part = this.heads.get(stem.slice(start, end));
      if (part === undefined) continue;
      const step = { cut: { before: from?.cut, part, start, end }, logs: (from?.logs ?? 0) + part.log };
      for (const link of this.rules.links) {
        const next = steps[end + link.length];
        if (next === undefined || !stem.startsWith(link, end)) continue;
        const known = next[parts];
        if (known === undefined || step.logs > known.logs) next[parts] = step;
      }
    }
  }

  private compoundOf(stem: string, last: Cut): Compound {
    const cuts: Cut[] = [];
    for (let cut: Cut | undefined = last; cut !== undefined; cut = cut.before) cuts.unshift(cut);
    const stems = new Set(cuts.map(({ part }) => part.stem));
    for (let from = 0; from < cuts.length; from++) {
      for (let to = from + 1; to < cuts.length; to++) {
        const forms = to === cuts.length - 1 ? this.tails : this.heads;
        const joined =
          to - from === cuts.length - 1 ? undefined : forms.get(stem.slice(cuts[from]!.start, cuts[to]!.end));
        if (joined !== undefined) stems.add(joined.stem);
      }
    }
    return { words: cuts.map(({ part }) => part.word), stems: [...stems] };
  }

  private addForms(part: Part, tails: readonly string[]): void {
    if (!this.rules.neverFirst.has(part.word)) keepBetter(this.heads, part.word, part);
    if (this.rules.neverLast.has(part.word)) return;
    keepBetter(this.tails, part.word, part);
    for (const form of tails) keepBetter(this.tails, form, part);
  }

  private addShortened(part: Part): void {
    const endings = this.rules.shortened.get(part.word.at(-1) ?? '') ?? [];
    if (part.letters === MIN_PART_LETTERS || this.rules.neverFirst.has(part.word)) return;
    for (const ending of endings) {
      const form = part.word.slice(0, -1) + ending;
      if (!this.heads.has(form)) this.heads.set(form, part);
    }
  }
}

const UNCHANGED: CompoundRules['shortened'] = new Map();

const DANISH = rulesOf({
  links: ['s', 'e', 'er'],
  shortened: new Map([['e', ['']]]),
  neverFirst: 'ind ned frem bort hen gen mis van sam ned tilbage igen sammen ude inde',
  neverLast: 'hed heder dom lig lige skab bar som los vis agtig ning else inde ude',
});

/** Rules by language (ISO 639-1); of languages that are not here no word is split. */
export const COMPOUND_RULES: ReadonlyMap<string, CompoundRules> = new Map([
  ['da', DANISH],
  [
    'de',
    rulesOf({
      links: ['s', 'es', 'en', 'e', 'n', 'er', 'ens'],
      shortened: new Map([['e', ['']]]),
      neverFirst: 'her hin los ein miss wieder zusammen zuruck fort empor vorbei',
      neverLast: 'heit keit ung lich isch schaft bar sam los haft lei tum nis chen ende',
    }),
  ],
  ['fi', rulesOf({ links: ['n'], neverFirst: 'epa esi yli ali', neverLast: 'ton ssa lla sta lta ksi nen inen' })],
  ['nb', DANISH],
  [
    'nl',
    rulesOf({
      links: ['s', 'e', 'en', 'n', 'er'],
      neverFirst: 'her toe mee weg heen terug samen mis wan',
      neverLast: 'heid lijk baar zaam loos schap ing isch achtig sel ster',
    }),
  ],
  ['nn', DANISH],
  ['no', DANISH],
  [
    'sv',
    rulesOf({
      links: ['s', 'e'],
      shortened: new Map([
        ['a', ['', 'u', 'o', 'e']],
        ['e', ['']],
      ]),
      neverFirst: 'fram upp ner bort sam miss van ihop igen tillbaka',
      neverLast: 'het heten heter dom lig skap bar sam los vis aktig ning else',
    }),
  ],
]);

export const EMPTY_VOCABULARY: Vocabulary = createVocabulary(0, new Map());

/** `languages` by ISO 639-1 code. O(words) per language on its first use. */
export function createVocabulary(number: number, languages: ReadonlyMap<string, LanguageWords>): Vocabulary {
  const splitters = new Map<string, LanguageSplitter | undefined>();
  return {
    number,
    languages,
    split(stem, language) {
      let splitter = splitters.get(language);
      if (splitter === undefined && !splitters.has(language)) {
        const rules = COMPOUND_RULES.get(language);
        const words = languages.get(language);
        splitter = rules && words && new LanguageSplitter(language, rules, words);
        splitters.set(language, splitter);
      }
      return splitter?.split(stem);
    },
  };
}

/** Whether words of the language are split at all. */
export function hasCompounds(language: string): boolean {
  return COMPOUND_RULES.has(language);
}

/** Documents that a word counts for at least which compounds of any site have, when a site has so many documents. */
export function commonDocuments(documents: number): number {
  return Math.max(KNOWN_DOCUMENTS, Math.ceil(shortWordDocuments(documents)));
}

function shortWordDocuments(documents: number): number {
  return Math.min(SHORT_WORD_DOCUMENTS, documents * SHORT_WORD_RATIO);
}

/** What a vocabulary keeps of a folded word. Stems it three times, so that reading a vocabulary stems nothing. */
export function knownWord(word: string, documents: number, language: string): KnownWord {
  const stems = FIRST_PARTS.map((first) => ({ first, form: stemWord(first + word, language) }));
  const tails = stems.flatMap(({ first, form }) => (form.startsWith(first) ? [form.slice(first.length)] : []));
  return {
    word,
    documents,
    stem: stemWord(word, language),
    tails: [...new Set(tails)].filter((form) => form !== word),
  };
}

/** Whether a word is worth keeping in a vocabulary. */
export function canBePart({ word, documents }: Pick<KnownWord, 'word' | 'documents'>): boolean {
  return documents >= KNOWN_DOCUMENTS && word.length >= MIN_PART_LETTERS && LETTERS_ONLY.test(word);
}

/** The more frequent part wins a form; among equal ones the shorter word, then code point. */
function keepBetter(forms: Map<string, Part>, form: string, part: Part): void {
  const known = forms.get(form);
  const better =
    known === undefined ||
    part.log > known.log ||
    (part.log === known.log &&
      (part.letters < known.letters || (part.letters === known.letters && part.word < known.word)));
  if (better) forms.set(form, part);
}

/** How a language writes several words as one. */
export type CompoundRules = {
  /** Letters between two parts that belong to neither. */
  readonly links: readonly string[];
  /** Endings that a part loses before another one, each with what may stand instead (Schule → Schul-). */
  readonly shortened: ReadonlyMap<string, readonly string[]>;
  /** Folded words that are prefixes or derivational endings much more often than parts. */
  readonly neverFirst: ReadonlySet<string>;
  readonly neverLast: ReadonlySet<string>;
};

function rulesOf(rules: {
  readonly links: readonly string[];
  readonly shortened?: CompoundRules['shortened'];
  readonly neverFirst: string;
  readonly neverLast: string;
}): CompoundRules {
  return {
    links: ['', ...rules.links],
    shortened: rules.shortened ?? UNCHANGED,
    neverFirst: new Set(rules.neverFirst.split(' ')),
    neverLast: new Set(rules.neverLast.split(' ')),
  };
}
