import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

type Rule = {
  /** Parts of identifiers: `twins` is found in `compareTwins` and `MIN_TWINS`, not in `twinkle`. */
  readonly words: readonly string[];
  readonly use: string;
  /** Only files below these paths; everywhere when there are none. */
  readonly within?: readonly string[];
  /** Next parts with which the word is a term of its own. */
  readonly before?: readonly string[];
};

/** Words that mean something else in the field, or several things here. */
const RULES: readonly Rule[] = [
  { words: ['twin', 'twins', 'twinned'], use: 'duplicate, near-duplicate' },
  { words: ['kin', 'kinship'], use: 'morphological variant' },
  { words: ['worth'], use: 'selection score' },
  { words: ['weigh', 'weighed'], use: 'weight, measure, score' },
  { words: ['voter', 'voters', 'voted'], use: 'sampled pages, document frequency of blocks' },
  { words: ['surroundings'], use: 'secondary text' },
  { words: ['patient', 'patience'], use: 'background priority' },
  { words: ['turn', 'turns'], use: 'yield to the event loop, semaphore, lock' },
  { words: ['evidence'], use: 'features, grounding, statistics, signals, inputs: one word each' },
  {
    words: ['near'],
    use: 'fuzzy terms, vector candidates, near-duplicates, same stem',
    before: ['duplicate', 'duplicates'],
  },
  { words: ['sketch', 'sketches'], use: 'binary vectors (quantization)' },
  { words: ['mended'], use: 'corrected' },
  { words: ['seam', 'seams', 'spliced'], use: 'splice check, copied runs' },
  { words: ['outbox'], use: 'write batch' },
  { words: ['lesson', 'lessons', 'habits'], use: 'observation, change history' },
  { words: ['learn', 'learns', 'learned'], use: 'build, observe, record: nothing here is trained at run time' },
  { words: ['memories'], use: 'statistics, filter' },
  { words: ['bonus', 'bonuses', 'closeness'], use: 'rerank features, proximity' },
  { words: ['tally', 'tallies', 'figures'], use: 'counters, count' },
  { words: ['trial', 'trials'], use: 'dry run' },
  { words: ['says'], use: 'attribute bits, has' },
  { words: ['stock'], use: 'default' },
  { words: ['rescue', 'rescued'], use: 'fallback extraction' },
  { words: ['doubt', 'doubted', 'doubtful'], use: 'quarantine, recheck, smoothing' },
  { words: ['unit', 'units', 'draft', 'authors'], use: 'claim, answer segment, answer generator', within: ['ai/'] },
  { words: ['frame', 'frames'], use: 'headings, heading context', within: ['ai/', 'indexing/'] },
  { words: ['family', 'families', 'naming', 'pointing'], use: 'URL template, declaring', within: ['crawl/'] },
  { words: ['feed'], use: 'dispatcher: a feed is RSS or Atom', within: ['crawl/slice/'] },
  { words: ['kill', 'kills', 'killed', 'passing'], use: 'delete, tombstone, accepted', within: ['search-index/'] },
];

/** What keeps its name: `path identifier` and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'core/document.ts surroundings': 'member of stored documents',
  'extract/html/content-model.ts worth': 'member of the stored model file',
  'crawl/visit/decide-guarded.ts doubted': 'member of the stored detail of a row',
};
/** Names of members that are stored or public, in every file that reads them. */
const MEMBERS: Readonly<Record<string, string>> = {
  surroundings: 'member of stored documents, source of a matched word',
  near: 'member of the setting `duplicates` and of its report: near-duplicates',
};
/** Files whose names are those of migrations, which are never changed. */
const FROZEN = /^storage\/sql\/(?:migrations\/|migrate\.ts$)/;

const PIECES =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(=,:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])*\/[a-z]*|[A-Za-z_$][\w$]*/g;
const IDENTIFIER = /^[A-Za-z_$]/;
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

function identifiersOf(text: string): ReadonlySet<string> {
  return new Set(text.match(PIECES)?.filter((piece) => IDENTIFIER.test(piece)) ?? []);
}

function problemsOf(path: string, identifier: string): readonly string[] {
  const parts = (identifier.match(PART) ?? []).map((part) => part.toLowerCase());
  return RULES.filter(({ within }) => within === undefined || within.some((folder) => path.startsWith(folder)))
    .filter(({ words, before = [] }) =>
      parts.some((part, at) => words.includes(part) && !before.includes(parts[at + 1] ?? '')),
    )
    .map(({ use }) => `${path} ${identifier}: ${use}`);
}

test('identifiers keep to the glossary', () => {
  const problems: string[] = [];
  const used = new Set<string>();
  for (const path of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('.ts') || FROZEN.test(path)) continue;
    for (const identifier of identifiersOf(readFileSync(join(SOURCES, path), 'utf8'))) {
      const found = problemsOf(path, identifier);
      if (found.length === 0) continue;
      const allowed = [`${path} ${identifier}`, identifier].find((key) => key in ALLOWED || key in MEMBERS);
      if (allowed === undefined) problems.push(...found);
      else used.add(allowed);
    }
  }
  expect(problems).toEqual([]);
  expect([...Object.keys(ALLOWED), ...Object.keys(MEMBERS)].filter((key) => !used.has(key))).toEqual([]);
});

test('a banned word is found in every case of an identifier, and no longer word', () => {
  expect(['compareTwins', 'MIN_TWIN_CHARS', 'Twin'].flatMap((name) => problemsOf('crawl/x.ts', name))).toHaveLength(3);
  expect(problemsOf('crawl/x.ts', 'twinkle')).toEqual([]);
  expect(problemsOf('crawl/x.ts', 'nearDuplicates')).toEqual([]);
  expect([...identifiersOf("const a = 'twin'; // twin\nconst b = /twin/u.test(`twin`);")]).toEqual(
    expect.arrayContaining(['a', 'b', 'test']),
  );
  expect(identifiersOf("const a = 'twin'; // twin\nconst b = /twin/u.test(`twin`);").has('twin')).toBe(false);
});
