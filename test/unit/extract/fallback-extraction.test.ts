import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';

const noFiles = () => Promise.reject(new Error('a page is no file'));

async function page(html: string) {
  const extraction = await extract(
    { parseFile: noFiles },
    {
      url: 'https://site.example/page',
      body: Buffer.from(html),
      headers: { contentType: 'text/html' },
      settings: DEFAULT_EXTRACT_SETTINGS,
      now: Date.parse('2026-11-20T10:00:00Z'),
    },
    new AbortController().signal,
  );
  const { sections } = extraction.structure;
  return { ...extraction, content: firstValue(extraction.fields, 'Content'), sections };
}

/** Prose of so many words, other words under every name. */
function prose(name: string, words: number): string {
  return `${Array.from({ length: words }, (_, at) => `${name}${String.fromCharCode(97 + (at % 26))}${at % 7 === 0 ? 'ly' : 'ing'}`).join(' ')}.`;
}

const jsonLd = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const state = (data: unknown) =>
  `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ data, padding: 'x'.repeat(2_000) })}</script>`;

const FEW = `<h1>Title</h1><p>${prose('shown', 20)}</p>`;
const ENOUGH = `<h1>Title</h1><p>${prose('shown', 70)}</p>`;
const MUCH = `<h1>Title</h1><p>${prose('shown', 200)}</p>`;

describe('what JSON-LD holds', () => {
  test.each([
    ['the text of an article', { '@type': 'NewsArticle', articleBody: prose('body', 80) }, 'bodya'],
    [
      'posts, and their comments behind them',
      {
        '@type': 'DiscussionForumPosting',
        text: prose('first', 70),
        comment: [{ '@type': 'Comment', text: prose('second', 30) }],
      },
      'seconda',
    ],
    [
      'questions with their answers',
      {
        '@type': 'FAQPage',
        mainEntity: [
          { '@type': 'Question', name: 'How long?', acceptedAnswer: { '@type': 'Answer', text: prose('answer', 70) } },
        ],
      },
      'How long?',
    ],
    [
      'recipes',
      {
        '@type': 'Recipe',
        recipeIngredient: ['two eggs'],
        recipeInstructions: [{ '@type': 'HowToStep', text: prose('step', 70) }],
      },
      'two eggs',
    ],
    ['descriptions of vacancies', { '@type': 'JobPosting', description: prose('job', 70) }, 'joba'],
  ])('is text where hardly any was chosen: %s', async (_, data, words) => {
    expect((await page(FEW + jsonLd(data))).content).toContain(words);
  });

  test('keeps its order, its headings and its lists; markup is parsed, also where it is escaped', async () => {
    const html = `<h2>Inside</h2><p>${prose('html', 40)}</p><ul><li>One</li><li>Two</li></ul>`;
    const escaped = `&lt;p&gt;${prose('escaped', 40)}&lt;/p&gt;`;
    const { sections } = await page(
      FEW +
        jsonLd([
          { '@type': 'Article', articleBody: html },
          { '@type': 'Comment', text: escaped },
        ]),
    );

    const last = sections.at(-1);
    expect(last?.headings).toEqual([{ level: 2, text: 'Inside' }]);
    expect(last?.blocks.map(({ kind, text }) => `${kind}: ${text.slice(0, 7)}`)).toEqual([
      'paragraph: htmlaly',
      'list: One\nTwo',
      'paragraph: escaped',
    ]);
  });

  test.each([
    ['a page with enough text', MUCH, prose('body', 300)],
    ['a page with some, and not a quarter of it', ENOUGH, prose('body', 200)],
    ['a source with fewer than 60 words', FEW, prose('body', 50)],
    ['what the page shows already', FEW, prose('shown', 20)],
  ])('is left out: %s', async (_, html, articleBody) => {
    expect((await page(html + jsonLd({ '@type': 'Article', articleBody }))).content).not.toContain('bodya');
  });

  test('is taken where a page has some text and this is more than four times as much', async () => {
    const { content } = await page(ENOUGH + jsonLd({ '@type': 'Article', articleBody: prose('body', 300) }));
    expect(content).toContain('bodya');
  });

  test('of a thread is taken where it has more than the page shows', async () => {
    const thread = (words: number) => jsonLd({ '@type': 'DiscussionForumPosting', text: prose('post', words) });

    expect((await page(MUCH + thread(250))).content).toContain('posta');
    expect((await page(MUCH + thread(150))).content).not.toContain('posta');
  });

  test('of products is taken where the page is about one, and says hardly anything of it', async () => {
    const product = (name: string) => ({ '@type': 'Product', name, description: prose(name, 80) });

    expect((await page(FEW + jsonLd(product('lamp')))).content).toContain('lampa');
    expect((await page(MUCH + jsonLd(product('lamp')))).content).not.toContain('lampa');
    expect((await page(FEW + jsonLd([product('lamp'), product('chair')]))).content).not.toContain('lampa');
  });
});

describe('the state of an application', () => {
  const text = prose('state', 90);

  test.each([
    ['a JSON script', `<script type="application/json">${JSON.stringify([text, 'x'.repeat(2_000)])}</script>`],
    [
      'an assignment',
      `<script>window.__INITIAL_STATE__ = {"a":{"b":"${text}"},"c":"}{\\"${'x'.repeat(2_000)}"};run()</script>`,
    ],
    [
      'a quoted assignment',
      `<script>window.__PRELOADED_STATE__ = JSON.parse(${JSON.stringify(JSON.stringify({ text, pad: 'x'.repeat(2_000) }))});</script>`,
    ],
    [
      'a list of values',
      `<script id="__NUXT_DATA__" type="application/json">${JSON.stringify([1, [2], text, 'x'.repeat(2_000)])}</script>`,
    ],
  ])('is read: %s', async (_, script) => {
    expect((await page(FEW + script)).content).toContain('statea');
  });

  test('gives prose in its order, each text once, and nothing else', async () => {
    const { content } = await page(
      FEW +
        state({
          first: text,
          again: text,
          url: `https://site.example/${'a-long-path/'.repeat(8)}`,
          css: '.card { color: red; margin: 0 auto } .card a { color: blue; padding: 1px }',
          code: 'function render(state) { return state.items.map((item) => item.name).join(" and more ") }',
          token: 'QmFzZTY0IGlzIG5vIHRleHQgdGhhdCBhbnlib2R5IHdvdWxkIHJlYWQ'.repeat(4),
          short: 'Too short to be a text',
          numbers: '12 34 56 78 90 12 34 56 78 90 12 34 56 78 90 12 34 56',
          second: `<p>${prose('later', 30)}</p>`,
        }),
    );

    const rescued = content.slice(content.indexOf('statea'));
    expect(rescued).toBe(`${text}\n${prose('later', 30)}`);
  });

  test('is not read where the page says something', async () => {
    expect((await page(ENOUGH + state(text))).content).not.toContain('statea');
  });

  test('is not read where JSON-LD has the text', async () => {
    const { content } = await page(FEW + jsonLd({ '@type': 'Article', articleBody: prose('body', 200) }) + state(text));
    expect(content).toContain('bodya');
    expect(content).not.toContain('statea');
  });

  test('beyond its limits is left out and noted', async () => {
    const deep = `${'['.repeat(200)}${JSON.stringify(text)}${']'.repeat(200)}`;
    const many = JSON.stringify([...Array.from({ length: 200_001 }, () => 0), text]);
    const found = await page(`${FEW}<script type="application/json">${many}</script>`);
    const nested = await page(`${FEW}<script type="application/json">${deep.padEnd(2_100)}</script>`);

    expect(found.trace.notes).toContain('state limit');
    expect(found.content).not.toContain('statea');
    expect(nested.content).not.toContain('statea');
  });
});

describe('rescued text', () => {
  const article = jsonLd({ '@type': 'Article', articleBody: prose('body', 90) });

  test('is never quoted beside text of the page, and may be where it is the only text', async () => {
    const beside = await page(FEW + article);
    const alone = await page(`<h1>Title</h1>${article}`);
    const reserved = await page(`<meta name="robots" content="nosnippet"><h1>Title</h1>${article}`);

    expect(beside.sections.map(({ grounding }) => grounding)).toEqual([true, false]);
    expect(alone.sections.map(({ grounding }) => grounding)).toEqual([true]);
    expect(reserved.sections.map(({ grounding }) => grounding)).toEqual([false]);
  });

  test('spares the page a browser, and is named in the trace', async () => {
    const shell = '<html><body><div id="root"></div><script src="/app.js"></script>';
    const bare = await page(shell);
    const full = await page(shell + state(prose('state', 90)));

    expect(bare).toMatchObject({ status: 'needs-render', renderWanted: 'The page is an empty application root' });
    expect(full).toMatchObject({ status: 'ok', renderWanted: undefined });
    expect(full.trace.sources['Content']).toEqual(expect.stringMatching(/ \+ state$/));
  });

  test('hidden in its markup stays hidden', async () => {
    const articleBody = `<p>${prose('body', 90)}</p><p hidden>planted words</p>`;
    expect((await page(FEW + jsonLd({ '@type': 'Article', articleBody }))).content).not.toContain('planted');
  });

  test('is made of words of the page, whatever the scripts hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ maxLength: 200 }), fc.json()), { maxLength: 6 }),
        async (texts) => {
          const scripts = texts.map((text) => `<script>window.__APOLLO_STATE__ = ${text}${' '.repeat(2_000)}</script>`);
          const source = `${FEW}${scripts.join('')}`;
          const { content } = await page(source);
          for (const word of content.match(/[\p{L}\p{N}]+/gu) ?? []) expect(source).toContain(word);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test.each(['skeleton', 'card shimmer'])(
  'a page that shows where its text will be asks for a browser: %s',
  async (name) => {
    const { renderWanted } = await page(
      `<h1>Lamps of the season and more</h1><p>${prose('shown', 20)}</p><div class="${name}"></div><script>go()</script>`,
    );
    expect(renderWanted).toBe('The page shows where its text will be');
  },
);
