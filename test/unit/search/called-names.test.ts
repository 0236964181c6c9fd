import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQuery, selectionOf } from '../../../src/search/query/read-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { planOf } from '../../helpers/query-plans.ts';
import { never } from '../../helpers/search-index-harness.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

// A page that defines what is written as a name comes before short pages that mention it.
const ENGINE = 6;
const DEFINED = [
  { anchor: 'guc-log-hostname', text: 'log_hostname (boolean)' },
  { anchor: 'omit_reindex', text: 'LUMO_OMIT_REINDEX' },
  { anchor: 'date_trunc', text: 'date_trunc(text)' },
  { anchor: 'openFile', text: '' },
  { anchor: 'pragma_busy', text: '' },
];
const LONG = 'Settings of the yard are told here one after the other with all that is to know. '.repeat(4);

let index: ReturnType<typeof createInMemoryIndex>;
beforeAll(async () => {
  index = createInMemoryIndex();
  const writer = index.writer(ENGINE);
  const structure = { version: 1, sections: [], surroundings: '', definitions: DEFINED } as const;
  const texts = DEFINED.map(({ anchor, text }) => `${text === '' ? anchor : text}. ${LONG}`);
  const manual = storedDocument({ rid: 1, fields: { Title: 'Settings', Content: `${texts.join(' ')} pragma busy` } });
  const mentions = ['log_hostname', 'LUMO_OMIT_REINDEX', 'date_trunc', 'openFile', 'pragma busy'];
  const others = Array.from(
    { length: 40 },
    (_, i) => `A parameter, an option or a function of boat ${i}, which is old and long and blue, as the yard has it`,
  );
  const rest = [
    ...mentions.map(
      (name) =>
        `See ${name} there, as the yard has few settings that are told at length: boats are old and long and blue.`,
    ),
    ...others,
  ];
  writer.apply([
    { ...manual, structure },
    ...rest.map((Content, i) => storedDocument({ rid: i + 2, fields: { Content } })),
  ]);
  await writer.refresh();
});
afterAll(() => index[Symbol.asyncDispose]());

async function firstOf(text: string, operator: 'AND' | 'OR' = 'OR') {
  const rules = { operator, language: 'en', fields: [], synonyms: compileSynonyms([], ['en']) };
  const match = selectionOf(readQuery(text, rules));
  const { hits, total } = await index.search(ENGINE, planOf({ match }), never());
  return { first: hits[0]?.rid, total };
}

test.each([
  ['log_hostname parameter'],
  ['-DLUMO_OMIT_REINDEX'],
  ['function date_trunc()'],
  ['openFile option'],
  ['busy pragma'],
  ['log hostname parameter'],
])('%s', async (query) => {
  expect((await firstOf(query)).first).toBe(1);
});

test.each([['parameter log hostname'], ['"log_hostname" parameter'], ['parameter']])(
  'words are no names: %s',
  async (query) => {
    expect((await firstOf(query)).first).not.toBe(1);
  },
);

test('under AND a document needs all words, whatever it is called', async () => {
  expect((await firstOf('log_hostname unheard', 'AND')).total).toBe(0);
});
