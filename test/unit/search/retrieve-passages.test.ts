import { describe, expect, test } from 'vitest';
import type { RetrievedPassages } from '../../../src/search/passage.ts';
import { openPassageEngine } from '../../helpers/passage-engine.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const LIBRARY = [
  storedDocument({
    rid: 1,
    fields: { Title: 'Library cards', Content: 'A library card is free. A replacement costs 5 euro.', Kind: 'help' },
  }),
  storedDocument({
    rid: 2,
    fields: {
      Title: 'Loans',
      Content: 'Books can be borrowed for 28 days.\nLate returns\nThe fee is 20 cents a day.',
      Kind: 'help',
    },
  }),
  storedDocument({
    rid: 3,
    fields: { Title: 'News', Content: 'The new card reader in the hall works with every card.', Kind: 'news' },
  }),
];
const texts = ({ candidates }: RetrievedPassages) => candidates.map(({ passage }) => passage.text);
const rids = ({ candidates }: RetrievedPassages) => [...new Set(candidates.map(({ passage }) => passage.rid))].sort();

test('the passages that share words with the question come best first, with what each word weighs', async () => {
  const engine = await openPassageEngine(LIBRARY);
  const found = await engine.retrieve('What does a replacement card cost?');
  expect(texts(found)[0]).toBe('A library card is free. A replacement costs 5 euro.');
  expect(found.terms.map(({ text }) => text)).toEqual(['replacement', 'card', 'cost']);
  expect(found.candidates.every(({ score }) => score > 0)).toBe(true);
  expect(found.candidates.map(({ score }) => score)).toEqual(
    found.candidates.map(({ score }) => score).toSorted((a, b) => b - a),
  );
});

test('filters, boosts and source fields act on what may be found', async () => {
  const engine = await openPassageEngine(LIBRARY);
  const filter = { kind: 'value', field: 'Kind', values: ['help'] } as const;
  expect(rids(await engine.retrieve('card', { filter }))).toEqual([1]);
  const boosts = [{ field: 'Kind', values: ['news'], factor: 50 }];
  expect((await engine.retrieve('free library card', { boosts })).candidates[0]?.passage.rid).toBe(3);
  expect(texts(await engine.retrieve('card', { sourceFields: ['Summary'] }))).toEqual([]);
});

test('a document that changed since it was indexed is read anew, and must still pass the filter', async () => {
  const engine = await openPassageEngine(LIBRARY);
  const filter = { kind: 'value', field: 'Kind', values: ['help'] } as const;
  await engine.retrieve('card', { filter });
  const change = (fields: Readonly<Record<string, string>>, seq: number) =>
    engine.rows.set(1, storedDocument({ rid: 1, seq, fields }));
  change({ Title: 'Library cards', Content: 'A library card costs 3 euro.', Kind: 'help' }, 10);
  expect(texts(await engine.retrieve('card', { filter }))).toEqual(['A library card costs 3 euro.']);
  change({ Title: 'Library cards', Content: 'A library card costs 3 euro.', Kind: 'secret' }, 11);
  expect(texts(await engine.retrieve('card', { filter }))).toEqual([]);
  engine.rows.delete(1);
  expect(texts(await engine.retrieve('card', { filter }))).toEqual([]);
});

describe('what else satisfies a word', () => {
  const terms = async (question: string, documents = LIBRARY, synonyms: readonly string[][] = []) => {
    const synonymGroups = synonyms.map((words, id) => ({
      id,
      customerId: 1,
      language: 'en',
      words,
      managedBy: undefined,
    }));
    const { terms: found } = await (await openPassageEngine(documents, { synonymGroups })).retrieve(question);
    return Object.fromEntries(
      found.map(({ text, alternatives }) => [text, alternatives.map(({ words, weight }) => [words.join(' '), weight])]),
    );
  };

  test('synonyms of the customer, of several words too', async () => {
    expect(await terms('When is my ticket ready?', LIBRARY, [['ticket', 'library card']])).toMatchObject({
      ticket: [
        ['library card', 0.6],
        ['card', 0.4],
      ],
    });
  });

  test('general synonyms that documents have', async () => {
    expect(await terms('A refund for a reader')).toMatchObject({ refund: [['return', 0.6]] });
  });

  test('related words of general language, less', async () => {
    const row = storedDocument({ rid: 1, fields: { Content: 'Assistance animals may enter the lift.' } });
    expect(await terms('Can my dog take the elevator?', [row])).toMatchObject({ elevator: [['lift', 0.4]] });
  });

  test('forms of it that no stemmer knows', async () => {
    const row = storedDocument({ rid: 1, fields: { Content: 'The founder bought the house for two children.' } });
    expect(await terms('Who may buy it for a child?', [row])).toMatchObject({
      buy: [['bought', 0.9]],
      child: [['children', 0.9]],
    });
  });

  test('words of what a visitor needs, which weigh more', async () => {
    expect(await terms('The price of a replacement')).toMatchObject({
      price: [
        ['cost', 0.8],
        ['fee', 0.8],
      ],
    });
  });

  test('the nearest word of one that no document has', async () => {
    expect(await terms('Replacemnt of a reader')).toEqual({ replacemnt: [['replacement', 0.85]], reader: [] });
  });

  test('what a superlative is of', async () => {
    const row = storedDocument({ rid: 1, fields: { Content: 'A safe way, big and easy.' } });
    expect(await terms('safest, biggest, easiest', [row])).toEqual({
      safest: [['safe', 0.85]],
      biggest: [['big', 0.85]],
      easiest: [['easy', 0.85]],
    });
  });

  test('two words as one', async () => {
    const row = storedDocument({ rid: 1, fields: { Content: 'The backup runs at night.' } });
    expect(await terms('How do I back up?', [row])).toMatchObject({ back: [['backup', 0.8]] });
  });

  test('alternatives of words that say little count less', async () => {
    const row = storedDocument({ rid: 1, fields: { Content: 'Add a shelf.' } });
    expect(await terms('make a shelf', [row])).toMatchObject({ make: [['add', 0.24]] });
  });

  test('what nothing has keeps nearly the largest weight', async () => {
    const { terms: found } = await (await openPassageEngine(LIBRARY)).retrieve('zeppelin card');
    expect(found[0]).toMatchObject({ text: 'zeppelin', isUnseen: true, alternatives: [] });
    expect(found[0]?.weight).toBeGreaterThan(found[1]?.weight ?? 0);
  });
});

test('a passage that defines the subject is found behind forty better ones', async () => {
  const pages = Array.from({ length: 30 }, (_, i) =>
    storedDocument({
      rid: i + 1,
      fields: {
        Title: 'Cabin',
        Content: `Cabin ${i}\nThe cabin cabin cabin ${i}.\nQuiet cabin ${i}\nThe quiet cabin ${i}.`,
      },
    }),
  );
  const long = `A quiet cabin is a small room for one person. ${'It has a desk and a chair and much more. '.repeat(12)}`;
  const definition = storedDocument({ rid: 40, fields: { Title: 'Rooms', Content: long } });
  const found = await (await openPassageEngine([...pages, definition])).retrieve('What is a quiet cabin?');
  expect(found.candidates.map(({ passage }) => passage.rid)).toContain(40);
  expect(found.candidates.length).toBeLessThanOrEqual(52);
});

test('documents far behind the best one are not looked at, unless something is to be defined', async () => {
  const page = (rid: number, content: string) => storedDocument({ rid, fields: { Content: content } });
  const pages = Array.from({ length: 20 }, (_, i) =>
    page(i + 1, `Page ${i} says what a booking is and what it costs.`),
  );
  const engine = await openPassageEngine([...pages, page(40, 'A booking of the turquoise zeppelin hangar is free.')]);

  expect((await engine.retrieve('How much is a booking of the turquoise zeppelin hangar?')).documents).toBe(8);
  expect((await engine.retrieve('How much is a booking?')).documents).toBe(21);
  expect((await engine.retrieve('What is a turquoise zeppelin hangar booking?')).documents).toBe(21);
});

test('the same text counts once, and not at all when it is on more than five pages', async () => {
  const pages = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      storedDocument({ rid: i + 1, fields: { Content: 'Our card is free for all.' } }),
    );
  expect(texts(await (await openPassageEngine(pages(3))).retrieve('card'))).toHaveLength(1);
  expect(texts(await (await openPassageEngine(pages(6))).retrieve('card'))).toEqual([]);
});

test('of given documents every one has passages, also without a word of the question', async () => {
  const engine = await openPassageEngine(LIBRARY);
  const found = await engine.retrieve('zeppelin', { restrictTo: [3, 2, 99] });
  expect(rids(found)).toEqual([2, 3]);
  expect(rids(await engine.retrieve('card', { restrictTo: [2] }))).toEqual([2]);
});

test('a question without words, and an empty engine, find nothing', async () => {
  expect(texts(await (await openPassageEngine(LIBRARY)).retrieve('?!'))).toEqual([]);
  expect(texts(await (await openPassageEngine([])).retrieve('What is a card?'))).toEqual([]);
});

test.each([
  ['de', 'Der Ausweis kostet fünf Euro.', 'Was kosten Ausweise?'],
  ['zh', '图书馆九点开门。', '图书馆几点开门？'],
  ['ja', '図書館は九時に開きます。', '図書館は何時に開きますか'],
  ['ko', '도서관은 아홉 시에 엽니다.', '도서관이 몇 시에 열어요?'],
  ['th', 'ห้องสมุดเปิดเก้าโมง', 'ห้องสมุดเปิดกี่โมง'],
])('passages in %s are found by the words of their language', async (language, Content, question) => {
  const engine = await openPassageEngine([storedDocument({ rid: 1, language, fields: { Content } })], { language });
  const ranking = await engine.rank(question);
  expect(ranking.passages[0]).toMatchObject({ passage: { rid: 1 } });
  expect(ranking.passages[0]?.coverage).toBeGreaterThan(0.3);
});

describe('compounds and forms of words', () => {
  test.each([
    ['de', 'Ein Schnellpass liegt nach drei Tagen bereit.', 'Wie lange dauert ein Pass?', 'pass', 'schnellpass', 0.7],
    ['de', 'Die Saison beginnt im Mai.', 'Wann ist die Badesaison?', 'badesaison', 'saison', 0.7],
    ['de', 'Die Leitung hat Petra Hollmann.', 'Wer leitet die Kurse?', 'leitet', 'leitung', 0.9],
    ['pl', 'Okularów nie wypożyczamy.', 'Czy można wypożyczyć okulary?', 'wypożyczyć', 'wypożyczamy', 0.9],
  ])('in %s "%s" is found for "%s"', async (language, Content, question, asked, word, weight) => {
    const engine = await openPassageEngine([storedDocument({ rid: 1, language, fields: { Content } })], { language });
    const found = await engine.retrieve(question, { restrictTo: [1] });
    expect(found.candidates[0]?.score).toBeGreaterThan(0);
    const term = found.terms.find(({ text }) => text === asked);
    expect(term?.alternatives).toContainEqual({ words: [word], weight, isSynonym: false });
  });

  test('a document that only has the last part of a compound is found', async () => {
    const page = storedDocument({ rid: 1, language: 'de', fields: { Content: 'Die Saison beginnt im Mai.' } });
    const engine = await openPassageEngine([page], { language: 'de' });
    expect(rids(await engine.retrieve('Badesaison'))).toEqual([1]);
    expect(rids(await engine.retrieve('Badetemperatur'))).toEqual([]);
  });

  test('words of documents in other languages than the question are none', async () => {
    const german = storedDocument({ rid: 1, language: 'de', fields: { Content: 'Ein Autoreifen kostet etwas.' } });
    const alternatives = async (language: string) => {
      const engine = await openPassageEngine([german], { language });
      const { terms } = await engine.retrieve('reifen', { restrictTo: [1] });
      return terms.flatMap((term) => term.alternatives.flatMap(({ words }) => words));
    };
    expect(await alternatives('de')).toContain('autoreifen');
    expect(await alternatives('en')).not.toContain('autoreifen');
  });
});

test('an aborted retrieval ends with the reason of its signal, between two steps', async () => {
  const engine = await openPassageEngine([
    storedDocument({ rid: 1, fields: { Content: 'The card is free. '.repeat(5_000) } }),
  ]);
  const reason = new Error('gone');
  await expect(engine.retrieve('card', { restrictTo: [1], signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('analysed documents are kept within their bytes, of each its last version', async () => {
  const engine = await openPassageEngine(LIBRARY);
  await engine.retrieve('card');
  const bytes = engine.analysedPassages.bytes;
  await engine.retrieve('card');
  expect(engine.analysedPassages.bytes).toBe(bytes);
  for (let seq = 10; seq < 60; seq++) {
    engine.rows.set(
      3,
      storedDocument({ rid: 3, seq, fields: { Content: `The card ${seq}. ${'A word more. '.repeat(2_000)}` } }),
    );
    await engine.retrieve('card');
  }
  expect(engine.analysedPassages.bytes).toBeLessThanOrEqual(2 ** 20);
});
