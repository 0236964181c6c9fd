import { hasCompounds, type Vocabulary } from '../../../text/compounds.ts';
import { partTerm } from '../../../text/term-keys.ts';

const NONE: readonly string[] = [];

/** Keys of the part terms of a word's stem in a language. Each stem is split once. */
export class PartNaming {
  private readonly vocabulary: Vocabulary;
  private readonly keys = new Map<string, Map<string, readonly string[]>>();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** False: no word of the language has parts, so none needs to be looked at. */
  splits(language: string): boolean {
    return this.vocabulary.number > 0 && hasCompounds(language) && this.vocabulary.languages.has(language);
  }

  keysOf(stem: string, language: string): readonly string[] {
    let keys = this.keys.get(language);
    if (keys === undefined) {
      keys = new Map();
      this.keys.set(language, keys);
    }
    let known = keys.get(stem);
    if (known === undefined) {
      const compound = this.vocabulary.split(stem, language);
      known = compound === undefined ? NONE : compound.stems.map((part) => partTerm(part, language));
      keys.set(stem, known);
    }
    return known;
  }
}
