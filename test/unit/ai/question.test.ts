import { describe, expect, test } from 'vitest';
import { answerLanguage, questionLanguage } from '../../../src/ai/answer.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';
import { fitsType, hasKind } from '../../../src/ai/question-types.ts';

describe('what a question wants', () => {
  test.each([
    ['en', 'How many books can I borrow?', 'number', 'count'],
    ['en', 'Please, what is the price of a card?', 'number', 'price'],
    ['en', 'When was the tower built?', 'date', 'year'],
    ['en', 'Who founded the library?', 'person', 'person'],
    ['en', 'Where is the desk?', 'place', undefined],
    ['en', 'What is a quiet cabin?', 'definition', undefined],
    ['en', 'Could you tell me how I renew a loan?', 'how-to', undefined],
    ['en', 'Why is the hall closed?', 'why', undefined],
    ['en', 'Can I renew a reserved book?', 'yes-no', undefined],
    ['en', 'library card', 'other', undefined],
    ['en', 'What is the phone number of the desk?', 'number', 'phone'],
    ['de', 'Wie viele Bücher darf ich ausleihen?', 'number', 'count'],
    ['de', 'Was ist eine Lesekabine?', 'definition', undefined],
    ['de', 'Wann wurde der Turm gebaut?', 'date', 'year'],
    ['fr', 'Qu’est-ce que le guichet unique ?', 'definition', undefined],
    ['fr', 'Combien coûte une carte ?', 'number', 'price'],
    ['es', '¿Cuántos libros puedo llevar?', 'number', 'count'],
    ['es', '¿Qué es la tarjeta joven?', 'definition', undefined],
    ['it', 'Quanto costa la tessera?', 'number', 'price'],
    ['it', 'Che cos’è la tessera?', 'definition', undefined],
    ['nl', 'Hoe laat gaat de bibliotheek open?', 'date', 'time'],
    ['nl', 'Waarom is de zaal dicht?', 'why', undefined],
    ['pt', 'Quem fundou a biblioteca?', 'person', 'person'],
    ['pt', 'Como renovo um empréstimo?', 'how-to', undefined],
    ['da', 'Hvornår blev tårnet bygget?', 'date', 'year'],
    ['da', 'Hvor afleverer jeg bogen?', 'place', undefined],
    ['sv', 'Hur många böcker får jag låna?', 'number', 'count'],
    ['sv', 'Varför är salen stängd?', 'why', undefined],
    ['nb', 'Hva er et lånekort?', 'definition', undefined],
    ['nb', 'Hvor mye koster et kort?', 'number', 'price'],
    ['fi', 'Kuinka monta kirjaa saan lainata?', 'number', 'count'],
    ['fi', 'Missä kirjasto on?', 'place', undefined],
    ['pl', 'Ile kosztuje karta?', 'number', 'price'],
    ['pl', 'Czy mogę przedłużyć wypożyczenie?', 'yes-no', undefined],
    ['xx', 'How many books?', 'other', undefined],
  ])('in %s "%s" is a question of type %s for %s', (language, text, type, asksFor) => {
    expect(analyseQuestion(text, language)).toMatchObject({ text, language, type, asksFor });
  });

  test.each([
    ['en', 'How much does the anchor weigh?', 'weight'],
    ['en', 'How heavy is the anchor?', 'weight'],
    ['en', 'How much does the tank hold?', 'capacity'],
    ['en', 'How much does it cost to hold a party?', 'price'],
    ['en', 'How much do you charge for a trip?', 'price'],
    ['en', 'How much time does the crossing take?', 'duration'],
    ['en', 'How long does the lamp last?', 'duration'],
    ['en', 'How long is the pier?', 'count'],
    ['en', 'How much wood does the stove use?', 'count'],
    ['en', 'How much is a pass?', 'price'],
    ['en', 'How do I pay?', undefined],
    ['de', 'Wie viel wiegt der Anker?', 'weight'],
    ['de', 'Wie viel kostet der Anker?', 'price'],
    ['de', 'Wie viel muss ich zahlen?', 'price'],
    ['de', 'Wie viele Betten hat die Hütte?', 'count'],
    ['fr', 'Combien pèse l’ancre ?', 'weight'],
    ['es', '¿Cuánto tarda la travesía?', 'duration'],
    ['it', 'Quanto contiene il serbatoio?', 'capacity'],
    ['nl', 'Hoeveel tijd kost de overtocht?', 'duration'],
    ['nl', 'Hoeveel kost de hut?', 'price'],
    ['pt', 'Quanto pesa a âncora?', 'weight'],
    ['da', 'Hvor meget vejer ankeret?', 'weight'],
    ['sv', 'Hur mycket rymmer tanken?', 'capacity'],
    ['nb', 'Hvor lenge varer batteriet?', 'duration'],
    ['fi', 'Paljonko ankkuri painaa?', 'weight'],
    ['fi', 'Paljonko mökki maksaa?', 'price'],
    ['pl', 'Ile trwa przeprawa?', 'duration'],
  ])('in %s the verb of "%s" asks for a %s', (language, text, asksFor) => {
    expect(analyseQuestion(text, language).asksFor).toBe(asksFor);
  });

  test('a completed question wants what the one before wanted, and its own words weigh more', () => {
    const completed = { own: 'And the films?', previous: 'How long can I borrow a book?' };
    const question = analyseQuestion('And the films borrow long?', 'en', completed);
    expect(question).toMatchObject({ type: 'number', asksFor: 'count' });
    expect(question.words).toEqual([
      { text: 'films', factor: 1 },
      { text: 'borrow', factor: 0.7 },
      { text: 'long', factor: 0.7 * 0.35 },
    ]);
  });

  test.each([
    ['en', 'How long can I borrow the films?', ['long*', 'borrow', 'films']],
    ['en', 'What else can nobody borrow again?', ['else*', 'nobody*', 'borrow', 'again*']],
    ['en', 'Who are you?', ['who', 'are', 'you']],
    ['en', 'Is Python 3.11 wi-fi ready?', ['python', '311', 'wi', 'fi', 'ready']],
    ['de', 'Wo finde ich die Öffnungszeiten?', ['finde*', 'öffnungszeiten']],
    ['da', 'Hvordan bruger jeg kortet?', ['bruger*', 'kortet']],
    ['zh', '图书馆几点开门？', ['图书', '馆', '几点', '开门']],
    ['ko', '도서관은 어디에서 무료입니까?', ['도서', '서관', '무료']],
  ])('in %s "%s" has these words of content, those that say little marked', (language, text, words) => {
    const found = analyseQuestion(text, language).words.map(({ text: word, factor }) =>
      factor < 1 ? `${word}*` : word,
    );
    expect(found).toEqual(words);
  });

  test.each([
    ['en', 'What is a quiet cabin?', ['quiet', 'cabin']],
    ['en', 'What does HTTP stand for?', ['http']],
    ['en', 'What is the best way to get from the station to the library?', []],
    ['de', 'Was ist eine Lesekabine?', ['lesekabine']],
    ['fr', "Qu'est-ce que le guichet unique ?", ['guichet', 'unique']],
    ['en', 'How long is a loan?', []],
  ])('in %s "%s" wants the definition of %s', (language, text, subject) => {
    expect(analyseQuestion(text, language).subject).toEqual(subject);
  });
});

describe('what answers have', () => {
  test.each([
    ['en', 'number', 'You can borrow twelve books.', true],
    ['en', 'number', 'Ask at the desk.', false],
    ['de', 'date', 'Der Turm wurde im März eröffnet.', true],
    ['da', 'why', 'Salen er lukket, fordi taget er utæt.', true],
    ['pl', 'date', 'Otwarto ją w październiku.', true],
    ['fi', 'place', 'Kirjasto on keskustassa.', true],
    ['en', 'person', 'It was founded by Ellen Marrow.', true],
    ['es', 'yes-no', 'No se puede renovar.', true],
    ['en', 'definition', 'A cabin is a small room.', true],
    ['en', 'other', 'Anything at all.', false],
  ] as const)('in %s for %s: %s', (language, type, sentence, fits) => {
    expect(fitsType(sentence, type, language)).toBe(fits);
  });

  test.each([
    ['phone', 'Call +49 555 010 020 now.', true],
    ['phone', 'Open 9 to 17.', false],
    ['email', 'Write to desk@library.example.', true],
    ['price', 'A card costs 5 euro.', true],
    ['price', 'It costs €12.', true],
    ['price', 'Entry is free of charge.', true],
    ['price', 'Room 12 is upstairs.', false],
    ['year', 'Built in 1874.', true],
    ['count', 'No more than three.', true],
    ['weight', 'It weighs 14 kg.', true],
    ['weight', 'It weighs 1,4 Tonnen.', true],
    ['weight', 'It costs 14 euros.', false],
    ['duration', 'It takes two hours.', true],
    ['duration', 'Room 12 is upstairs.', false],
    ['capacity', 'It holds 60 litres.', true],
    ['capacity', 'It seats 40 people for €180.', true],
    ['capacity', 'It weighs 14 kilograms.', false],
    ['capacity', 'It lasts 9 hours.', false],
    ['capacity', 'It costs €1,250.50 a night.', false],
    ['person', 'The founder was Ellen Marrow.', true],
    ['person', 'The founder is unknown.', false],
  ] as const)('%s in "%s"', (kind, text, has) => {
    expect(hasKind(text, kind, 'en')).toBe(has);
  });
});

describe('the language of a question', () => {
  test.each([
    ['What does a card cost?', 'da', 'en'],
    ['Hvad koster et kort?', 'en', 'da'],
    ['Wo ist die Bibliothek?', 'en', 'de'],
    ['price card', 'da', 'da'],
    ['図書館はどこですか', 'en', 'ja'],
    ['图书馆', 'en', 'zh'],
    ['図書館', 'ja', 'ja'],
    ['도서관', 'en', 'ko'],
    ['ห้องสมุด', 'en', 'th'],
    ['Где находится библиотека?', 'en', 'ru'],
    ['', 'en', 'en'],
  ])('"%s" on an engine in %s is in %s', (question, engineLanguage, language) => {
    expect(questionLanguage(question, engineLanguage)).toBe(language);
  });

  test('the request decides the language of the answer when it names one', () => {
    const asked = { question: 'What does a card cost?', engineLanguage: 'en' };
    expect(answerLanguage({ ...asked, requested: 'de-AT' })).toBe('de');
    expect(answerLanguage({ ...asked, requested: 'zzz' })).toBe('en');
    expect(answerLanguage(asked)).toBe('en');
  });
});

test.each([
  ['de', 'Wann habt ihr geöffnet?', 'habt'],
  ['de', 'Könntet ihr mein Rad reparieren lassen?', 'könntet'],
  ['fr', 'Où peux garer ma voiture ?', 'peux'],
  ['es', '¿Dónde puedo aparcar?', 'puedo'],
  ['it', 'Dove posso parcheggiare?', 'posso'],
  ['nl', 'Wanneer kun je parkeren?', 'kun'],
  ['pt', 'Onde posso estacionar?', 'posso'],
  ['fi', 'Missä voin pysäköidä?', 'voin'],
  ['pl', 'Gdzie mogę zaparkować?', 'mogę'],
])('forms of to have, can and must are small words: %s %s', (language, text, verb) => {
  const { words } = analyseQuestion(text, language);
  expect(words.find((word) => word.text === verb)?.factor ?? 0).toBeLessThan(1);
  expect(words.some(({ factor }) => factor === 1)).toBe(true);
});
