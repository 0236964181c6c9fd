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
