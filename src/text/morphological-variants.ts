import { COMPOUND_RULES, type CompoundRules } from './compounds.ts';
import { foldWord } from './folding.ts';
import { stemWord } from './stemming.ts';
import { isStopWord } from './stop-words.ts';

/**
 * What the forms of one word end in behind what they share, where a stemmer leaves them apart: endings of its stems,
 * of whole words in Polish, which has no stemmer.
 */
const SCANDINAVIAN = 'e er et en te de t r s n a ad at ar or ing ning else are ende';
const ENDINGS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['da', listOf(SCANDINAVIAN)],
  ['de', listOf('e en er es em et est t te ten tet ung end n st')],
  ['fi', listOf('a aa e i o u y j ja t ta taa taan an n in en us ys ut ks mi mis minen')],
  ['nb', listOf(SCANDINAVIAN)],
  ['nl', listOf('t d en te de ten den ing er s end')],
  ['nn', listOf(SCANDINAVIAN)],
  ['no', listOf(SCANDINAVIAN)],
  [
    'pl',
    listOf(`a ą e ę i o ó u y ow om ach ami em ie ego emu ej ych ymi ym im ich imi iem owi owie ze ia ię ią io iu iow iom
      iach iami iego iemu iej ć c cie ać eć ić yć ąć ować iwać ywać uje ują ujesz ujemy ujecie ował owała owali owano
      am asz amy acie ają ję je jemy jesz ją ja my esz emy ecie isz imy icie ysz ymy ycie ł ła ło li ły ał ała ało ali
      ały ił iła iło ili iły ył yła yło yli yły ałem ałam iłem iłam yłem yłam łem łam any ana ane ani anie ania aniu
      aniem ony ona one eni enie enia eniu eniem ny na ne ni nych nym nego nej ność ności ka ki kę ką ce ek ku kom kach
      kami`),
  ],
  ['sv', listOf(SCANDINAVIAN)],
]);

/** Folded prefixes of verbs and of the nouns made of them: what follows is another word. */
const PREFIXES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['de', listOf('ein aus auf vor nach mit bei ver zer ent unter uber durch her hin los zuruck wieder vorbei zusammen')],
  ['nl', listOf('ver aan uit voor door over onder achter mee toe terug ont')],
]);

/** Letters that forms of a word share at least. */
const SHARED_LETTERS = 4;
/** Of a part of a compound: shorter ones end too many words; one that begins a word needs more. */
const PART_LETTERS = 4;
const FIRST_PART_LETTERS = 5;
/** Of what stands before or behind it. */
const REST_LETTERS = 3;
const LETTERS_ONLY = /^\p{L}+$/u;

function listOf(list: string): ReadonlySet<string> {
  return new Set(['', ...list.split(/\s+/).map(foldWord)]);
}

/** What another word is to the one that is asked for: a form of it, or a compound that it is a part of. */
export type VariantKind = 'form' | 'part';

/** Whether words of the language may have kin. */
export function hasVariants(language: string): boolean {
  return ENDINGS.has(language) || COMPOUND_RULES.has(language);
}

/**
 * Tells what a folded stem of the language is to the asked one, most probably (leitet: Leitung; Ausweis: Reiseausweis);
 * undefined = nothing, or the same. 50 ns for most words.
 */
export function variantKindOf(word: string, language: string): (stem: string) => VariantKind | undefined {
  const endings = ENDINGS.get(language);
  const rules = COMPOUND_RULES.get(language);
  return (stem) => {
    if (stem === word) return undefined;
    if (endings !== undefined && areForms(word, stem, endings)) return 'form';
    return rules !== undefined && isPartOf(word, stem, { language, rules }) ? 'part' : undefined;
  };
}

function areForms(a: string, b: string, endings: ReadonlySet<string>): boolean {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared >= SHARED_LETTERS && endings.has(a.slice(shared)) && endings.has(b.slice(shared));
}

type Joining = { readonly language: string; readonly rules: CompoundRules };

/** The last part, or one of some letters that the compound begins with. */
function isPartOf(part: string, compound: string, { language, rules }: Joining): boolean {
  if (part.length < PART_LETTERS || compound.length < part.length + REST_LETTERS) return false;
  if (compound.endsWith(part)) return !isPrefix(compound.slice(0, -part.length), language);
  if (part.length < FIRST_PART_LETTERS || !compound.startsWith(part)) return false;
  const rest = compound.slice(part.length);
  return rules.links.every((link) => {
    const last = rest.slice(link.length);
    return !rest.startsWith(link) || (last.length >= REST_LETTERS && !rules.neverLast.has(last));
  });
}

function isPrefix(beginning: string, language: string): boolean {
  const isKnown = PREFIXES.get(language)?.has(beginning) ?? false;
  return isKnown || COMPOUND_RULES.get(language)?.neverFirst.has(beginning) === true;
}

/** Ends of a word that may be the last part of a compound, the longest first; none in languages without compounds. */
export function possibleLastParts(word: string, language: string): readonly string[] {
  if (!COMPOUND_RULES.has(language) || !LETTERS_ONLY.test(word)) return [];
  const positions = Array.from({ length: word.length }, (_, at) => at).slice(REST_LETTERS, 1 - PART_LETTERS);
  return positions.flatMap((at) => {
    const last = word.slice(at);
    const isShort = last.length === PART_LETTERS && stemWord(last, language).length < PART_LETTERS;
    return isShort || isStopWord(last, language) || isPrefix(foldWord(word.slice(0, at)), language) ? [] : [last];
  });
}
