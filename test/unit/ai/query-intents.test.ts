import { describe, expect, test } from 'vitest';
import { meetsIntent } from '../../../src/ai/query-intents.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';
import { openPassageEngine } from '../../helpers/passage-engine.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const page = (rid: number, Title: string, Content: string, language = 'en') =>
  storedDocument({ rid, language, fields: { Title, Content, Url: `https://museum.example/${rid}` } });

const MUSEUM = [
  page(
    1,
    'Opening hours',
    'The museum is open daily.\nHalls | 9:00 to 18:30 | 10:00 to 16:00\nLibrary | 13:00 to 17:00',
  ),
  page(2, 'Getting here', 'The address is 12 Mill Road. Tram line 4 stops at the gate. The car park has 140 places.'),
  page(3, 'Admission', 'Adults | 11 €\nStudents | 8 €\nChildren under 7 | free'),
  page(4, 'Write or call', 'The museum answers within three days: desk@museum.example, 0555 0121.'),
  page(5, 'The museum in summer', 'In summer the museum lends chairs. Get one at the museum and open it in the shade.'),
  page(
    6,
    'News',
    'The museum tells where summer tickets get lost. The museum was told how to open old boxes in summer.',
  ),
];

describe('what somebody new to a place asks', () => {
  test.each([
    ['When is the museum open in summer?', 'hours'],
    ['What are your opening hours?', 'hours'],
    ['Are you open on Sundays?', 'hours'],
    ['How do I get to the museum?', 'way'],
    ['Where is the museum?', 'way'],
    ['What does a ticket cost?', 'price'],
    ['What is the phone number?', 'contact'],
    ['How do I get my money back?', undefined],
    ['When was the museum built?', undefined],
    ['How do I open a file?', undefined],
  ])('%s: %s', (question, intent) => {
    expect(analyseQuestion(question, 'en').intent).toBe(intent);
  });

  test.each([
    ['de', 'Wann hat der Garten geöffnet?', 'hours'],
    ['de', 'Wie komme ich zum Garten?', 'way'],
    ['de', 'Was kostet der Eintritt?', 'price'],
    ['de', 'Wie ist die Telefonnummer?', 'contact'],
    ['fr', 'Quels sont les horaires ?', 'hours'],
    ['fr', 'Combien coûte un billet ?', 'price'],
    ['es', '¿Cómo llegar al jardín?', 'way'],
    ['es', '¿A qué hora abre el museo?', 'hours'],
  ])('%s: %s', (language, question, intent) => {
    expect(analyseQuestion(question, language).intent).toBe(intent);
  });

  test.each([
    ['en', 'opening hours sunday', ['daily', 'day']],
    ['de', 'Wann hat der Garten sonntags geöffnet?', ['täglich', 'tag']],
    ['fr', 'Quels sont les horaires le dimanche ?', ['jours', 'jour']],
    ['es', '¿A qué hora abre el museo el domingo?', ['diario', 'días']],
  ])('%s: a day of the week is one of every day: %s', (language, question, also) => {
    const day = /sunday|sonntags|dimanche|domingo/;
    expect(analyseQuestion(question, language).words.find(({ text }) => day.test(text))?.also).toEqual(also);
  });

  test.each([
    ['When is the museum open in summer?', 1],
    ['How do I get to the museum?', 2],
    ['Where is the museum?', 2],
    ['What does a ticket cost?', 3],
    ['What is the phone number?', 4],
  ])('is answered by the page that holds it, not by one that repeats the words: %s', async (question, rid) => {
    const [best] = (await (await openPassageEngine(MUSEUM)).rank(question)).passages;
    expect(best?.passage.rid).toBe(rid);
  });
});

test.each([
  ['hours', 'Halls 9:00 to 18:30, library 13:00 to 17:00', 1],
  ['hours', 'The last entry is at 17:45.', 0.25],
  ['way', 'Take the tram, or the bus from the station.', 1],
  ['price', 'Adults €11.00, students €8.00, children €4.00', 1],
  ['contact', 'Call 0555 0120.', 1],
  ['contact', 'Call the desk.', 0],
] as const)('%s are met by "%s" to %d', (intent, text, share) => {
  expect(meetsIntent(text, intent, 'en')).toBeCloseTo(share);
});
