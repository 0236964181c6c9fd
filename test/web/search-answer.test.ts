import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { NARROW, useBrowser, WIDE } from './browser-view.ts';
import { startSearchPageServer } from './search-page-server.ts';

const { openPage, checkAccess } = useBrowser();

const QUESTION = 'how often should I water a trough?';
const addressOf = (query: string) => `/?q=${encodeURIComponent(query)}`;

test('a question is answered above its results while the answer is being written, and rated and followed up by keyboard', async () => {
  await using server = await startSearchPageServer();
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  server.behaviour.hold = hold;
  await using view = await openPage(`${server.origin}${addressOf(QUESTION)}`, { viewport: WIDE });
  const { page } = view;
  const card = page.getByRole('region', { name: 'Answer' });

  await card.getByText('once a week', { exact: true }).first().waitFor();
  expect(await card.locator('pre').count()).toBe(0);
  expect(await card.getByRole('button', { name: 'Stop' }).isVisible()).toBe(true);
  release();
  await card.locator('pre').waitFor();
  const [first] = await card.getByRole('link', { name: 'Source 1' }).all();
  expect(await first?.getAttribute('href')).toBe('https://garden.example/guides/alpine-troughs.html');
  expect(await card.locator('pre').textContent()).toBe('day 1: water <b>well</b>');
  expect(await card.getByRole('columnheader').allTextContents()).toEqual(['Place', 'Summer', 'Winter Source 1']);
  expect(await card.getByRole('cell').allTextContents()).toEqual(['Trough', 'once a week', 'never']);
  expect(await card.getByRole('list', { name: 'Sources' }).getByRole('link').allTextContents()).toEqual([
    'Growing alpine plants in troughs',
    'Alpine plants of the northern slopes: survey report',
  ]);

  await card.getByRole('button', { name: 'Helpful', exact: true }).press('Enter');
  await card.getByText('Thank you.').waitFor();
  await card.getByLabel('Ask a follow-up question').fill('and in winter?');
  await page.keyboard.press('Enter');
  await card.getByText('Not at all while it freezes.').waitFor();

  expect(server.asked.map(({ address, body }) => [address.split('/search/')[1], body])).toEqual([
    ['answer/stream', { question: QUESTION, answerLength: 'concise' }],
    ['answer/feedback', { conversationId: 'conversation-1', exchangeId: 'exchange-1', rating: 'positive' }],
    ['answer/stream', { question: 'and in winter?', conversationId: 'conversation-1', answerLength: 'concise' }],
  ]);
});

test('results are summarised when asked for, and a question goes on from the summary', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}${addressOf('alpine house')}`, { viewport: WIDE });
  const { page } = view;
  const card = page.getByRole('region', { name: 'Answer' });

  await card.getByRole('button', { name: 'Summarise these results' }).click();
  await card.getByText('340 species').waitFor();
  await card.getByLabel('Ask a follow-up question').fill('and in winter?');
  await page.keyboard.press('Enter');
  await card.getByText('Not at all').waitFor();
  await page.route('https://garden.example/**', (route) => route.fulfill({ body: 'The page that was cited' }));
  await card.getByRole('link', { name: 'Source 1' }).last().click();
  await page.waitForURL('https://garden.example/**');

  await eventually(async () => server.asked.length === 3 || undefined);
  const [summary, question, click] = server.asked.map(({ body }) => body);
  expect(summary).toMatchObject({ query: 'alpine house', includeCitations: true });
  expect(summary!['sources']).toHaveLength(5);
  expect(question).toEqual({ question: 'and in winter?', conversationId: 'request-1', answerLength: 'concise' });
  expect(click).toEqual({
    conversationId: 'request-1',
    exchangeId: 'exchange-1',
    url: 'https://garden.example/guides/alpine-troughs.html',
  });
});

test('nothing is asked while a question is being typed, nor for what cannot be answered', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(server.origin, { viewport: WIDE });
  const { page } = view;

  await page.locator('#query').fill(QUESTION);
  await page.locator('.result').first().waitFor();
  await page.goto(`${server.origin}${addressOf('alpine plants that like shade')}`);
  await page.locator('.result').first().waitFor();

  expect(await page.getByRole('region', { name: 'Answer' }).count()).toBe(0);
  expect(server.asked).toEqual([]);
});

test('what an answer says runs nothing and links to nothing but pages', async () => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}${addressOf('what does a run cost?')}`, { viewport: WIDE });
  const card = view.page.getByRole('region', { name: 'Answer' });

  await card.getByText('is text').waitFor();
  expect(await card.locator('img, script, a').count()).toBe(0);
});

test('an answer that fails says so, and the results stay', async () => {
  await using server = await startSearchPageServer();
  server.behaviour.answerStatus = 500;
  await using view = await openPage(`${server.origin}${addressOf(QUESTION)}`, { viewport: WIDE });
  const { page } = view;

  await page.getByText('No answer can be written at the moment.').waitFor();
  expect(await page.locator('.result').count()).toBe(10);
});

test('where the model fails, quotes answer and say so, with their links and in their conversation', async () => {
  await using server = await startSearchPageServer();
  server.behaviour.modelFails = true;
  await using view = await openPage(`${server.origin}${addressOf(QUESTION)}`, { viewport: WIDE });
  const { page } = view;
  const card = page.getByRole('region', { name: 'Answer' });

  await card.getByText('Water a trough once a week.').waitFor();
  expect(await card.getByText('No answer can be written at the moment. This is what the pages say:').count()).toBe(1);
  expect(await card.getByText('Nothing else. [7]').count()).toBe(1);
  const [first] = await card.getByRole('link', { name: 'Source 1' }).all();
  expect(await first?.getAttribute('href')).toBe('https://garden.example/guides/alpine%20troughs%20%282%29.html');
  server.behaviour.modelFails = false;
  await card.getByLabel('Ask a follow-up question').fill('and in winter?');
  await page.keyboard.press('Enter');
  await card.getByText('Not at all while it freezes.').waitFor();

  expect(await card.getByText('This is what the pages say').count()).toBe(1);
  expect(server.asked.map(({ address, body }) => [address.split('/search/')[1], body])).toEqual([
    ['answer/stream', { question: QUESTION, answerLength: 'concise' }],
    ['answer', { question: QUESTION, answerLength: 'concise', includeCitations: true }],
    ['answer/stream', { question: 'and in winter?', conversationId: 'conversation-1', answerLength: 'concise' }],
  ]);
});

test('where the model fails, quotes sum up and say so, with the pages they are of and in their conversation', async () => {
  await using server = await startSearchPageServer();
  server.behaviour.modelFails = true;
  await using view = await openPage(`${server.origin}${addressOf('alpine house')}`, { viewport: WIDE });
  const { page } = view;
  const card = page.getByRole('region', { name: 'Answer' });

  await card.getByRole('button', { name: 'Summarise these results' }).click();
  await card.getByText('The alpine house shows 340 species.').waitFor();
  expect(await card.getByText('No answer can be written at the moment. This is what the pages say:').count()).toBe(1);
  const sources = await card.getByRole('list', { name: 'Sources' }).getByRole('link').all();
  expect(await Promise.all(sources.map((source) => source.getAttribute('href')))).toEqual([
    'https://garden.example/news/alpine-house-reopens.html',
    'https://garden.example/guides/alpine%20troughs%20%282%29.html',
  ]);
  await checkAccess(page, 'quoted summary');
  server.behaviour.modelFails = false;
  await card.getByLabel('Ask a follow-up question').fill('and in winter?');
  await page.keyboard.press('Enter');
  await card.getByText('Not at all while it freezes.').waitFor();

  expect(await card.getByText('This is what the pages say').count()).toBe(1);
  const [stream, whole, question] = server.asked;
  expect(server.asked.map(({ address }) => address.split('/search/')[1])).toEqual([
    'summarize/stream',
    'summarize',
    'answer/stream',
  ]);
  expect(whole?.body).toMatchObject({ query: 'alpine house', sources: stream?.body['sources'] });
  expect(question?.body).toMatchObject({ question: 'and in winter?', conversationId: 'request-1' });
});

test('a summary that fails for another reason is not asked for again', async () => {
  await using server = await startSearchPageServer();
  server.behaviour.answerStatus = 500;
  await using view = await openPage(`${server.origin}${addressOf('alpine house')}`, { viewport: WIDE });
  const card = view.page.getByRole('region', { name: 'Answer' });

  await card.getByRole('button', { name: 'Summarise these results' }).click();
  await card.locator('.failed').waitFor();

  expect(server.asked.map(({ address }) => address.split('/search/')[1])).toEqual(['summarize/stream']);
});

test.each([
  ['wide', { viewport: WIDE }],
  ['narrow', { viewport: NARROW }],
])('answers break no accessibility rule, light or dark (%s)', async (name, options) => {
  await using server = await startSearchPageServer();
  await using view = await openPage(`${server.origin}${addressOf(QUESTION)}`, options);
  const { page } = view;

  await page.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
  await checkAccess(page, `${name} answer`);
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  await page.goto(`${server.origin}${addressOf('alpine house')}`);
  await page.getByRole('button', { name: 'Summarise these results' }).waitFor();
  await checkAccess(page, `${name} offer`);
});
