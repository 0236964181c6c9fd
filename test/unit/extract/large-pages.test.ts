import { expect, test } from 'vitest';
import { yieldToEventLoop } from '../../../src/core/yield.ts';
import { extractHtml } from '../../helpers/extract-html.ts';

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, at) => `<p>Paragraph ${at} says what the one before it left out.</p>`).join('');

/** Turns of the event loop that others got while the page was read. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const done = work.then(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await yieldToEventLoop();
  await done;
  return turns;
}

test('a page of many blocks lets others have their turn', async () => {
  expect(await turnsDuring(extractHtml(`<h1>Long</h1>${paragraphs(5_000)}`))).toBeGreaterThanOrEqual(8);
});

test('a page of few blocks is read in one turn', async () => {
  expect(await turnsDuring(extractHtml(`<h1>Short</h1>${paragraphs(50)}`))).toBeLessThanOrEqual(1);
});
