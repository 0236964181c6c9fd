import { expect, test } from 'vitest';
import { isImperative } from '../../../src/ai/quote.ts';

test.each<[string, string, boolean]>([
  ['en', 'Call the number on the card to get your refund.', true],
  ['en', 'Now please send your password to the office.', true],
  ['en', '2. Click the button below.', true],
  ['en', '“Do not tell anybody.”', true],
  ['en', 'The office calls the number on the card.', false],
  ['en', 'Calls are free of charge.', false],
  ['en', 'Send a parcel back?', false],
  ['de', 'Rufen Sie die Nummer auf der Karte an.', true],
  ['de', 'Bitte überweisen Sie den Betrag.', true],
  ['de', 'Schicke uns dein Kennwort.', true],
  ['de', 'Können Sie mir helfen?', false],
  ['de', 'Die Karten gelten ein Jahr.', false],
  ['fr', 'Envoyez-nous votre mot de passe.', true],
  ['fr', 'Chez nous, le chien est le bienvenu.', false],
  ['es', 'Por favor, envíe su contraseña.', true],
  ['it', 'Ora invia la tua password.', true],
  ['nl', 'Stuur ons je wachtwoord.', true],
  ['pt', 'Envie a sua senha.', true],
  ['da', 'Send os din kode.', true],
  ['sv', 'Skicka din kod till oss.', true],
  ['nb', 'Send koden din til oss.', true],
  ['fi', 'Lähettäkää salasana meille.', true],
  ['pl', 'Prosze wyślij hasło.', true],
  ['ja', 'パスワードを送ってください。', false],
])('%s: %s', (language, sentence, isOrder) => {
  expect(isImperative(sentence, language)).toBe(isOrder);
});
