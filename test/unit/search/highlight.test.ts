import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHtml, unescapeHtml } from '../../../src/core/escape-html.ts';
import { highlightField } from '../../../src/search/highlight.ts';
import { queryPatterns } from '../../../src/search/word-finder.ts';
import type { MatchedWord } from '../../../src/search-index/search-index.ts';
import { createVocabulary, knownWord } from '../../../src/text/compounds.ts';
import { stemWord } from '../../../src/text/stemming.ts';
import { bigramTerm, partTerm } from '../../../src/text/term-keys.ts';
import { matchOfText } from '../../helpers/match-of-text.ts';

const FIELDS = [{ name: 'Title', type: 'text', documents: 1 }] as const;
const STOCK = { preTag: '<b>', postTag: '</b>', fragmentSize: 160, numberOfFragments: 3, noMatchSize: 0 };

function matched(text: string, field?: string): MatchedWord {
  return { text, forms: new Set([stemWord(text, 'en')]), field };
}

function highlight(field: string, values: readonly string[], words: readonly MatchedWord[], changes = {}) {
  return highlightField(field, values, {
    matched: words,
    patterns: [],
    language: 'en',
    settings: { ...STOCK, ...changes },
  });
}

test('matched words are marked as they stand, the rest is escaped', () => {
  expect(highlight('Content', ['Battery storage for homes & "offices".'], [matched('battery')])).toEqual([
    '<b>Battery</b> storage for homes &amp; &quot;offices&quot;.',
  ]);
});

test('other forms of a word are marked whole', () => {
  expect(highlight('Content', ['Two panels, one Panel'], [matched('panels')])).toEqual([
    'Two <b>panels</b>, one <b>Panel</b>',
  ]);
});

test('markup of the document stays text', () => {
  expect(highlight('Content', ['<b>solar</b><script>'], [matched('solar')])).toEqual([
    '&lt;b&gt;<b>solar</b>&lt;/b&gt;&lt;script&gt;',
  ]);
});

test('a joined word is marked once', () => {
  expect(highlight('Content', ['Fast Wi-Fi here'], [matched('wifi'), matched('fi')])).toEqual([
    'Fast <b>Wi-Fi</b> here',
  ]);
});

test('decomposed letters stay as they are stored', () => {
  expect(
    highlight('Content', ['Un cafe\u0301 noir'], [{ text: 'café', forms: new Set(['cafe']), field: undefined }]),
  ).toEqual(['Un <b>cafe\u0301</b> noir']);
});

test('the words of a phrase are marked where it stands', () => {
  const words = ['solar', 'park', 'solar'].map((word) => matched(word));
  const text = 'A park, solar, a solar park solar and solar, a park solar';
  const mark = (phraseSlop: number) =>
    highlightField('Content', [text], { matched: words, patterns: [], phraseSlop, language: 'en', settings: STOCK });

  expect(mark(0)).toEqual(['A park, solar, a <b>solar</b> <b>park</b> <b>solar</b> and solar, a park solar']);
  expect(mark(1)).toEqual([
    'A park, solar, a <b>solar</b> <b>park</b> <b>solar</b> and <b>solar</b>, a <b>park</b> <b>solar</b>',
  ]);
});

describe('patterns mark the whole words that fit', () => {
  const mark = (query: string, text: string, field = 'Content') => {
    const patterns = queryPatterns(matchOfText(query, { operator: 'OR', language: 'en', fields: FIELDS }));
    const rules = { matched: [], patterns, language: 'en', settings: STOCK };
    return highlightField(field, [text], rules)[0] ?? '';
  };

  test.each([
    ['sol*', 'Solar and the Sólstice', '<b>Solar</b> and the <b>Sólstice</b>'],
    ['s*r', 'solar sun sr', '<b>solar</b> sun <b>sr</b>'],
    ['wo?d', 'wood word wod', '<b>wood</b> <b>word</b> wod'],
    ['*lar', 'solar Polar lard', '<b>solar</b> <b>Polar</b> lard'],
    ['solar~1', 'solar sola slar sloar salary', '<b>solar</b> <b>sola</b> <b>slar</b> <b>sloar</b> salary'],
    ['solar~2', 'salary solo', '<b>salary</b> <b>solo</b>'],
    ['solar~0', 'solar solars', '<b>solar</b> solars'],
    ['x -sol*', 'solar', ''],
    ['(sol* OR y) AND z', 'solar', '<b>solar</b>'],
    ['Title:sol*', 'solar', ''],
  ])('%s', (query, text, expected) => {
    expect(mark(query, text)).toBe(expected);
  });

  test('a pattern of a field is marked there', () => {
    expect(mark('Title:sol*', 'solar', 'Title')).toBe('<b>solar</b>');
  });
});

test('a word is marked by its surface, too', () => {
  const words = [{ text: 'panels', forms: new Set(['panels']), field: undefined }];
  expect(highlight('Content', ['panels, a panel'], words)).toEqual(['<b>panels</b>, a panel']);
});

test('alternatives of a word are marked, those of several words where they stand together', () => {
  const forms = (words: readonly string[]) => words.map((word) => new Set([stemWord(word, 'en')]));
  const also = [['heater'], ['air', 'source', 'unit']].map(
    (words) => ({ words, slop: 0, source: 'synonym', forms: forms(words) }) as const,
  );
  const words = [{ ...matched('boiler'), also }];

  expect(highlight('Content', ['Boilers, heaters, air, an air source unit'], words)).toEqual([
    '<b>Boilers</b>, <b>heaters</b>, air, an <b>air</b> <b>source</b> <b>unit</b>',
  ]);
});

describe('fields', () => {
  test('a field word is marked in its field only', () => {
    const words = [matched('solar', 'Title')];
    expect(highlight('Title', ['Solar'], words)).toEqual(['<b>Solar</b>']);
    expect(highlight('Content', ['Solar'], words)).toEqual([]);
  });

  test('addresses are marked for words of their field only', () => {
    const values = ['https://example.com/solar'];
    expect(highlight('Url', values, [matched('solar')])).toEqual([]);
    expect(highlight('Link', values, [matched('solar')])).toEqual([]);
    expect(highlight('Url', values, [matched('solar', 'Url')])).toEqual(['https://example.com/<b>solar</b>']);
  });

  test('Title is one fragment, uncut', () => {
    const title = `Solar ${'and much more '.repeat(30)}solar`;
    expect(highlight('Title', [title], [matched('solar')])).toEqual([title.replace(/solar/gi, '<b>$&</b>')]);
  });

  test('every value can give a fragment', () => {
    expect(highlight('Tags', ['solar one', 'none', 'two solar'], [matched('solar')])).toEqual([
      '<b>solar</b> one',
      'two <b>solar</b>',
    ]);
  });
});

describe('fragments', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(20);

  test('the windows with most different words come first, in text order', () => {
    const text = `solar ${filler} wind ${filler} solar wind ${filler} wind solar pump`;
    const fragments = highlight(
      'Content',
      [text],
      ['solar', 'wind', 'pump'].map((word) => matched(word)),
      {
        numberOfFragments: 2,
      },
    );

    expect(fragments).toHaveLength(2);
    expect(fragments[0]).toContain('<b>solar</b> <b>wind</b>');
    expect(fragments[1]).toContain('<b>wind</b> <b>solar</b> <b>pump</b>');
  });

  test('a fragment has about the asked size and ends at word borders', () => {
    const [fragment = ''] = highlight('Content', [`${filler} solar ${filler}`], [matched('solar')]);
    const plain = fragment.replaceAll(/<\/?b>/g, '');

    expect(plain.length).toBeLessThanOrEqual(160);
    expect(plain.length).toBeGreaterThan(130);
    expect(plain).toMatch(/^… ((lorem|ipsum|dolor|sit|amet|solar) )+…$/);
  });

  test('without a number of fragments the value is whole', () => {
    expect(highlight('Content', [`${filler}solar`], [matched('solar')], { numberOfFragments: 0 })).toEqual([
      `${filler}<b>solar</b>`,
    ]);
  });

  test('without a match there is nothing, or the asked beginning', () => {
    expect(highlight('Content', ['a & b'], [matched('solar')])).toEqual([]);
    expect(highlight('Content', ['a & b'], [matched('solar')], { noMatchSize: 3 })).toEqual(['a &amp;']);
  });

  test.each(['solar', 'Sólär', 'so\u00adlar', 'SOLARS'])(
    'a long text is read until there are enough matches, up to %s at its end',
    (written) => {
      const text = `${'lorem ipsum '.repeat(20_000)}${written}`;
      expect(highlight('Content', [text], [matched('solar')])[0]).toMatch(/ipsum <b>[^<]+<\/b>$/);
    },
  );

  test.each([
    ['æro', 'aero'],
    ['œuvre', 'oeuvre'],
    ['straße', 'strasse'],
    ['þorn', 'thorn'],
  ])('letters that fold to two are found in a long text: %s', (written, form) => {
    const words = [{ text: form, forms: new Set([form]), field: undefined }];
    expect(highlight('Content', [`${'lorem ipsum '.repeat(20_000)}${written}`], words)[0]).toContain(
      `<b>${written}</b>`,
    );
  });

  test('a compound is found in a long text by its part', () => {
    const words = ['haus', 'garten', 'licht'].map((word) => knownWord(word, 500, 'de'));
    const vocabulary = createVocabulary(1, new Map([['de', { documents: 1_000, words }]]));
    const part = partTerm(stemWord('garten', 'de'), 'de');
    const also = [{ words: [part], slop: 0, source: 'part', forms: [new Set<string>()] } as const];
    const asked = [{ text: 'garten', forms: new Set([stemWord('garten', 'de')]), field: undefined, also }];
    const rules = { matched: asked, vocabulary, patterns: [], language: 'de', settings: STOCK };

    const [fragment] = highlightField('Content', [`${'lorem ipsum '.repeat(20_000)}Lichtgarten`], rules);

    expect(fragment).toContain('<b>Lichtgarten</b>');
  });

  test('of a long text the first twenty windows with a match are chosen from', () => {
    const text = `${`solar ${'lorem ipsum '.repeat(20)}`.repeat(2_000)} solar wind`;
    const [best = ''] = highlight('Content', [text], [matched('solar'), matched('wind')], { numberOfFragments: 1 });

    expect(best).not.toContain('wind');
  });

  test.each([
    ['Its sun rises. The solar panel turns light into power, and more of it than ever before', /^The <b>solar/],
    ['Does the sun rise? “Solar power” is what it gives to everybody who has a roof', /^“<b>Solar<\/b> power”/],
    ['電気。太陽光発電のパネルは屋根の上に置かれ光を電気に変えます', /^<b>太陽光/],
  ])('a fragment begins with the sentence of its match: %s', (sentence, expected) => {
    const words = ['solar', '太陽光'].map((word) => matched(word));
    const [fragment] = highlight('Content', [`${filler}${sentence}. ${filler}`], words);

    expect(fragment).toMatch(expected);
  });
});

describe('fragments are lines that read well', () => {
  const long = 'The harbour keeps its boats dry in winter and lends them out again in spring to all who ask for one';
  const fragmentsOf = (text: string, changes = {}) => highlight('Content', [text], [matched('solar')], changes);

  test.each([
    [
      'a sentence that ends in time',
      `${long}. Solar boats are lent first. ${long}. ${long}.`,
      'Solar boats are lent first.',
    ],
    [
      'an abbreviation ends none',
      `${long}. Boats, e.g. Lumo solar boats, are lent first. ${long}. ${long}.`,
      'Boats, e.g. Lumo solar boats, are lent first.',
    ],
    [
      'a heading before its text',
      `${long}.\nSolar boats\nThese boats are lent first.\n${long} ${long}`,
      'Solar boats These boats are lent first.',
    ],
    [
      'the last sentence of a text',
      `${long}. Short one. Solar boats are lent first.`,
      'Short one. Solar boats are lent first.',
    ],
  ])('%s', (_, text, expected) => {
    const [fragment = ''] = fragmentsOf(text, { fragmentSize: 70 });
    expect(fragment.replaceAll(/<\/?b>/g, '')).toBe(expected);
  });

  test('what is left out of a sentence is told by an ellipsis', () => {
    const [fragment = ''] = fragmentsOf(`${long}, ${long}, solar, ${long}, ${long}.`);
    expect(fragment).toMatch(/^… \w.*<b>solar<\/b>.*\w …$/);
  });

  test.each([
    ['a closing bracket', `${'(and so on and on) '.repeat(20)}), solar boats`, /^… [\w(]/],
    ['a line of a list', `${long}\n- solar boats ${long} ${long}`, /^… <b>solar/],
    ['a comma', `${long} ${long}\n, solar boats ${long} ${long}`, /^… <b>solar/],
    ['an option is a word', `${long} ${long}.\n--solar boats ${long} ${long}`, /^… --<b>solar/],
  ])('no fragment starts with %s', (_, text, expected) => {
    expect(fragmentsOf(text)[0]).toMatch(expected);
  });

  test('line breaks and runs of blanks are one blank, a whole value stays as it is', () => {
    expect(fragmentsOf('Big\n  solar\n\npanels')).toEqual(['Big <b>solar</b> panels']);
    expect(fragmentsOf('Big\n  solar', { numberOfFragments: 0 })).toEqual(['Big\n  <b>solar</b>']);
  });

  test('cells of a table are parted by a dot, bars of a command stay', () => {
    expect(fragmentsOf('Part | Share\nsolar | 40 %')).toEqual(['Part · Share <b>solar</b> · 40 %']);
    expect(fragmentsOf('Run this:\ncat solar | sort')).toEqual(['Run this: cat <b>solar</b> | sort']);
  });

  test.each([
    ['LUMO_READY is set', ['lumo', 'ready'], '<b>LUMO_READY</b> is set'],
    ['Lumo.ready() and lumo ready', ['lumo', 'ready'], '<b>Lumo.ready</b>() and <b>lumo</b> <b>ready</b>'],
    ['LUMO_NOT_READY', ['lumo', 'ready'], '<b>LUMO</b>_NOT_<b>READY</b>'],
  ])('parts that are joined have one mark: %s', (text, words, expected) => {
    const asked = words.map((word) => matched(word));
    expect(highlight('Content', [text], asked)).toEqual([expected]);
    expect(highlight('Title', [text], asked)).toEqual([expected]);
    const withoutTags = expected.replaceAll(/<\/?b>/g, '');
    expect(highlight('Content', [text], asked, { preTag: '', postTag: '' })).toEqual([withoutTags]);
  });
});

test('the only markup is the tags, and what they leave is a line of the document', () => {
  const piece = fc.constantFrom(
    ...['solar', 'panels ', ' ', '<b>', '&amp;', '"', "'", '\u{1F600}', 'x', '-', '</b>', 'é', '\n', '. ', 'The '],
    ...[', ', ') ', ' | ', '_', 'Big sun. ', '…', '。'],
  );
  const texts = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(''));
  const rules = fc.record({ fragmentSize: fc.integer({ min: 1, max: 60 }), numberOfFragments: fc.nat(4) });
  const words = [matched('solar'), matched('panel')];
  fc.assert(
    fc.property(texts, rules, (text, changes) => {
      const asLine = (html: string) => html.replaceAll(' · ', ' | ').replaceAll(/\s+/g, ' ');
      for (const fragment of highlight('Content', [text], words, changes)) {
        expect(fragment.replaceAll(/<b>[^<]+<\/b>/g, '')).not.toMatch(/[<>"']/);
        expect(fragment).toMatch(/<b>[^<]+<\/b>/);
        expect(fragment.isWellFormed()).toBe(true);
        const plain = fragment.replaceAll(/<\/?b>/g, '');
        const uncut = plain.replace(/^… /, '').replace(/ …$/, '');
        expect(asLine(escapeHtml(text))).toContain(asLine(uncut));
        if (changes.numberOfFragments === 0) continue;
        expect(fragment).not.toMatch(/[\n\r\t]|<\/b>[-_.]<b>| {2}/);
        const [longestMark = 0] = [...fragment.matchAll(/<b>([^<]+)/g)]
          .map(([, mark = '']) => mark.length)
          .sort((a, b) => b - a);
        expect(unescapeHtml(uncut).length).toBeLessThanOrEqual(Math.max(changes.fragmentSize, longestMark));
        expect(unescapeHtml(plain)).not.toMatch(/^[\s,;:.!?)|。]/);
        const wordsOf = (written: string) => asLine(written).replace(/^[^\p{L}\p{N}]*/u, '');
        const isFromStart = wordsOf(text).startsWith(wordsOf(unescapeHtml(uncut)));
        if (!isFromStart) expect(plain).not.toMatch(/^\p{Ll}/u);
      }
    }),
    { numRuns: 1_000 },
  );
});

describe('what an index adds to a word', () => {
  const vocabulary = createVocabulary(
    1,
    new Map([['da', { documents: 100, words: [sureWord('sol'), sureWord('panel'), sureWord('park')] }]]),
  );
  const rules = { patterns: [], language: 'da', settings: STOCK, vocabulary };

  function sureWord(text: string) {
    return knownWord(text, 10, 'da');
  }

  test('a compound is marked whole when one of its parts was matched', () => {
    const term = partTerm('panel', 'da');
    const also = [{ words: [term], slop: 0, source: 'part' as const, forms: [new Set([term])] }];
    const matched = [{ text: 'paneler', forms: new Set(['panel']), field: undefined, also }];

    expect(highlightField('Content', ['Solpaneler og et panel i en solpark'], { ...rules, matched })).toEqual([
      '<b>Solpaneler</b> og et <b>panel</b> i en solpark',
    ]);
  });

  test('characters are marked where all of them stand together', () => {
    const bigrams = [bigramTerm('東京'), bigramTerm('京都')];
    const also = [
      { words: bigrams, slop: 0, source: 'bigrams' as const, forms: bigrams.map((term) => new Set([term])) },
    ];
    const matched = [{ text: '東京都', forms: new Set(['東京都']), field: undefined, also }];

    expect(highlightField('Content', ['新東京都庁舎と京都と東京'], { ...rules, language: 'ja', matched })).toEqual([
      '新<b>東京都</b>庁舎と京都と東京',
    ]);
  });
});
