import { describe, expect, test } from 'vitest';
import { dependsOnPrevious, isDependent, rewriteFollowUp } from '../../../src/ai/follow-up.ts';
import { analyseQuestion } from '../../../src/ai/question.ts';

describe('what a question that only names something else is read as first', () => {
  test.each([
    ['en', 'May I bring my dog?', 'What about drones?', 'May I bring drones?'],
    ['en', 'When does the café open?', 'And the library?', 'When does the library open?'],
    ['en', 'When was the garden founded?', 'And the library?', 'When was the library founded?'],
    ['en', 'How long is the short round?', 'And the winter walk?', 'How long is the winter walk?'],
    ['en', 'How do I get there by tram?', 'And by boat?', 'How do I get there by boat?'],
    ['en', 'What does a smart shutdown do?', 'And the immediate one?', 'What does the immediate shutdown do?'],
    ['en', 'How much is a piece of cake?', 'And a coffee?', 'How much is a coffee?'],
    ['en', 'How many books can I borrow?', 'And films?', 'How many films can I borrow?'],
    ['en', 'Can I park here?', 'And bicycles?', 'And bicycles park?'],
    ['en', 'Which executor uses threads?', 'And processes?', 'And processes executor uses threads?'],
    ['de', 'Darf ich meinen Hund mitbringen?', 'Und was ist mit Drohnen?', 'Darf ich Drohnen mitbringen?'],
    ['de', 'Was kostet ein neuer Ausweis?', 'Und für Kinder?', 'Und für Kinder kostet neuer ausweis?'],
    ['de', 'Kann ich hier parken?', 'Und Fahrräder?', 'Und Fahrräder parken?'],
    ['de', 'Wann öffnet das Café im Sommer?', 'Und im Winter?', 'Wann öffnet das Café im Winter?'],
    ['fr', 'Puis-je amener mon chien ?', 'Et les drones ?', 'Puis-je amener les drones ?'],
    ['es', '¿Puedo llevar a mi perro?', '¿Y los drones?', '¿Puedo llevar a los drones?'],
    ['it', 'Posso portare il mio cane?', 'E i droni?', 'Posso portare i droni?'],
    ['pt', 'Posso levar o meu cão?', 'E os drones?', 'Posso levar os drones?'],
    ['nl', 'Mag ik mijn hond meenemen?', 'En drones?', 'Mag ik drones meenemen?'],
    ['da', 'Må jeg tage min hund med?', 'Hvad med droner?', 'Må jeg tage droner med?'],
    ['sv', 'Får jag ta med min hund?', 'Och drönare?', 'Får jag ta med drönare?'],
    ['nb', 'Kan jeg ta med min hund?', 'Hva med droner?', 'Kan jeg ta med droner?'],
    ['fi', 'Saako koiran tuoda?', 'Entä droonit?', 'Saako droonit tuoda?'],
    ['pl', 'Czy mogę zabrać psa?', 'A drony?', 'Czy mogę zabrać drony?'],
  ])('in %s after "%s", "%s" is "%s"', (language, previous, question, expected) => {
    expect(rewriteFollowUp({ language, previous, question })[0]).toBe(expected);
  });

  test('both together, and what it names alone, are read when that has no answer', () => {
    expect(
      rewriteFollowUp({ language: 'en', previous: 'May I bring my dog?', question: 'What about drones?' }),
    ).toEqual(['May I bring drones?', 'What about drones bring dog?', 'What about drones?']);
  });
});

describe('what a question that points back is about first', () => {
  test.each([
    ['en', 'How much is an annual pass?', 'Where do I buy it?', 'Where do I buy it annual pass?'],
    ['en', 'What does the pruning saw cost?', 'How heavy is it?', 'How heavy is it pruning saw?'],
    ['en', 'How do I add a user with htpasswd?', 'How do I delete one?', 'How do I delete one user htpasswd?'],
    ['en', 'Where is the carving course held?', 'Who teaches it?', 'Who teaches it carving course?'],
    [
      'en',
      'What does the frost school cost?',
      'How many evenings are there?',
      'How many evenings are there frost school?',
    ],
    ['en', 'How do I book a meeting room?', 'For how long can I have it?', 'For how long can I have it meeting room?'],
    ['de', 'Wie hoch wird Edelweiß?', 'Wann blüht es?', 'Wann blüht es edelweiß?'],
    ['en', 'How wide is the pier?', 'Who built it?', 'Who built it pier?'],
    ['de', 'Was kostet die Jahreskarte?', 'Wo bekomme ich sie?', 'Wo bekomme ich sie jahreskarte?'],
    ['fr', 'Combien coûte un abonnement annuel ?', 'Où puis-je l’acheter ?', 'Où puis-je l’acheter abonnement annuel?'],
    ['es', '¿Cuánto cuesta un abono anual?', '¿Dónde lo compro?', '¿Dónde lo compro abono anual?'],
    ['pt', 'Quanto custa o passe anual?', 'Onde o compro?', 'Onde o compro passe anual?'],
    ['nl', 'Wat kost een jaarkaart?', 'Waar koop ik hem?', 'Waar koop ik hem jaarkaart?'],
    ['da', 'Hvad koster et pas?', 'Hvor lang tid tager det?', 'Hvor lang tid tager det pas?'],
    ['sv', 'Vad kostar ett årskort?', 'Var köper jag det?', 'Var köper jag det årskort?'],
    ['nb', 'Hva koster et årskort?', 'Hvor kjøper jeg det?', 'Hvor kjøper jeg det årskort?'],
  ])('in %s after "%s", "%s" is "%s"', (language, previous, question, expected) => {
    expect(rewriteFollowUp({ language, previous, question })[0]).toBe(expected);
  });

  test('what the one before asked is no part of what this one asks', () => {
    const completed = { own: 'How heavy is it?', previous: 'What does the pruning saw cost?' };
    const { asksFor, intent } = analyseQuestion('How heavy is it pruning saw cost?', 'en', completed);
    expect({ asksFor, intent }).toEqual({ asksFor: 'weight', intent: undefined });
  });
});

test.each([
  ['en', 'How long can I borrow films from the library?'],
  ['es', '¿Cuánto cuesta la tarjeta de la biblioteca central?'],
  ['de', 'Wo finde ich die Öffnungszeiten der Bibliothek im Sommer?'],
  ['it', 'È possibile prenotare la sala riunioni online?'],
  ['da', 'Hvornår har den nye genbrugsplads åbent om søndagen?'],
  ['xx', 'one two three four'],
])('in %s "%s" stands alone', (language, question) => {
  expect(isDependent(question, language)).toBe(false);
  expect(rewriteFollowUp({ language, question, previous: 'What is a loan?' })).toEqual([]);
});

test.each([
  ['en', 'Where do I buy it?', true],
  ['de', 'Und für Kinder?', true],
  ['en', 'opening hours', false],
  ['en', 'Is it possible to bring a dog into the glasshouse?', false],
])('in %s "%s" asks nothing by itself: %s', (language, question, expected) => {
  expect(dependsOnPrevious(question, language)).toBe(expected);
});

test('nothing is appended that the question has already', () => {
  expect(rewriteFollowUp({ language: 'en', previous: 'What are loans?', question: 'Loans?' })).toEqual([]);
});
