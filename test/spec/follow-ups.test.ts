import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDocument, readAnswerDocuments } from '../../scripts/evaluate/answers/sets.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 4.1. Conversations about the sample site, English and German.
let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await (await product.engineStore(6)).putDocuments(17, readAnswerDocuments('garden').map(newDocument), 1);
  const { status } = await product.put('/api/v4/3/index/17/documents?refresh=wait', [
    { id: 'waited-for', fields: { Title: 'Waited for', Content: 'Nothing.' } },
  ]);
  expect(status).toBeLessThan(300);
}, 60_000);
afterAll(() => product[Symbol.asyncDispose]());

async function ask(question: string, conversationId?: string) {
  const sent = { question, answerLength: 'concise', ...(conversationId !== undefined && { conversationId }) };
  const { status, body } = await product.post('/api/v4/3/6/search/answer', sent);
  expect(status).toBe(200);
  return body.value as { readonly answer: string; readonly conversationId: string };
}

test.each([
  ['May I bring my dog?', 'What about drones?', 'Drones are not allowed at any time.'],
  ['How much is an annual pass?', 'Where do I buy it?', 'Tickets are sold at the Lime Gate and at the Lake Gate.'],
  ['When does the café open?', 'And the library?', '13:00 to 17:00'],
  ['How much is a ticket for an adult?', 'And for students?', '8.00'],
  ['What does the pruning saw cost?', 'How heavy is it?', '190 g'],
  ['Darf ich meinen Hund mitbringen?', 'Und was ist mit Drohnen?', 'Drohnen sind immer verboten.'],
  ['Was kostet der Eintritt für Erwachsene?', 'Und für Jugendliche?', '4,00'],
])('after "%s", "%s" is answered "%s"', async (first, second, expected) => {
  const { conversationId } = await ask(first);

  const { answer } = await ask(second, conversationId);

  expect(answer).toContain(expected);
});

test('a question about what the one before named opens with what it asks itself', async () => {
  const { conversationId } = await ask('How much is an annual pass?');

  const { answer } = await ask('Where do I buy it?', conversationId);

  expect(answer).toMatch(/^Tickets are sold/);
});

test('the third question goes on from the second as it was meant', async () => {
  const { conversationId } = await ask('When does the café open?');
  await ask('And the library?', conversationId);

  const { answer } = await ask('And the nursery shop?', conversationId);

  expect(answer).toContain('10:00 to 18:00');
});
