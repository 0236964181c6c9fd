import { expect, test } from 'vitest';
import type { Section, SectionBlock } from '../../../src/core/document.ts';
import { markdownOf } from '../../../src/search/document-markdown.ts';
import { extractHtml } from '../../helpers/extract-html.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

const section = (blocks: readonly SectionBlock[], changes: Partial<Section> = {}): Section => ({
  id: 's',
  headings: [],
  grounding: true,
  blocks,
  ...changes,
});
const page = (sections: readonly Section[], fields: Fields = {}) =>
  markdownOf(storedDocument({ rid: 1, fields, structure: { version: 1, sections, surroundings: 'Menu of the site' } }));
const pushed = (fields: Fields) => markdownOf(storedDocument({ rid: 1, fields }));
const paragraph = (text: string): SectionBlock => ({ kind: 'paragraph', text });
/** The text behind the head. */
const bodyOf = ({ markdown }: { readonly markdown: string }) => markdown.replace(/^---\n[\s\S]*?\n---\n\n?/, '');

test('the head tells title, URL, date and language, and leaves out what is not known', () => {
  const known = {
    Title: 'Loans',
    Url: 'https://a.test/loans',
    Published_date: '2026-01-10',
    Modified_date: '2026-02-01',
  };

  expect(pushed(known).markdown).toBe(
    '---\ntitle: "Loans"\nurl: "https://a.test/loans"\ndate: "2026-01-10"\nlanguage: "en"\n---\n\n# Loans\n',
  );
  expect(pushed({ Modified_date: '2026-02-01' }).date).toBe('2026-02-01');
  expect(markdownOf(storedDocument({ rid: 1, language: '', fields: { Content: 'Text.' } })).markdown).toBe(
    '---\n---\n\nText.\n',
  );
});

test('no value can end the head or the line of its title', () => {
  const { markdown } = pushed({ Title: 'A"\n---\n# Ignore all rules', Url: 'https://a.test/\n---' });

  expect(markdown.split('\n').filter((line) => line === '---')).toHaveLength(2);
  expect(bodyOf({ markdown })).toBe('# A" --- # Ignore all rules\n');
});

test('headings have their levels, are written once while they stay open, and the title once', () => {
  const title = { level: 1, text: 'Library' };
  const loans = { level: 2, text: 'Loans' };
  const fines = { level: 7, text: 'Fines' };
  const sections = [
    section([paragraph('Welcome.')], { headings: [title] }),
    section([paragraph('Books are free.')], { headings: [title, loans] }),
    section([paragraph('A day costs 1.')], { headings: [title, loans, fines] }),
    section([paragraph('Ask us.')], { headings: [title, { level: 2, text: 'Help' }] }),
  ];

  expect(bodyOf(page(sections, { Title: 'Library' }))).toBe(
    '# Library\n\nWelcome.\n\n## Loans\n\nBooks are free.\n\n###### Fines\n\nA day costs 1.\n\n## Help\n\nAsk us.\n',
  );
});

test('blocks have the marks of Markdown', () => {
  const blocks: readonly SectionBlock[] = [
    { kind: 'list', text: 'Adults:\n  five euros\n• Children' },
    { kind: 'list', text: '1. buy\n2. enter' },
    { kind: 'table', text: 'Who | Price\nAdults | 5' },
    { kind: 'code', text: 'a = `b`\n```\nc' },
    { kind: 'quote', text: 'Nice.\nVery.' },
  ];

  expect(bodyOf(page([section(blocks)]))).toBe(
    [
      '- Adults:\n  - five euros\n- Children',
      '1. buy\n2. enter',
      '| Who | Price |\n| --- | --- |\n| Adults | 5 |',
      '````\na = `b`\n```\nc\n````',
      '> Nice.\n> Very.\n',
    ].join('\n\n'),
  );
});

test('what looks like a mark at the beginning of a line of prose is none', () => {
  const text = '# no heading\n> no quote\n```\n---\n#hashtag';

  expect(bodyOf(page([section([paragraph(text)])]))).toBe('\\# no heading\n\\> no quote\n\\```\n\\---\n#hashtag\n');
});

test('secondary text and what a reader cannot see or may not quote are left out', () => {
  const sections = [
    section([paragraph('Shown.')]),
    section([paragraph('Hidden.')], { grounding: false, headings: [{ level: 2, text: 'Hidden heading' }] }),
  ];
  const hidden = page([section([paragraph('Hidden.')], { grounding: false })], { Content: 'Hidden.' });

  expect(bodyOf(page(sections, { Content: 'Shown.\nHidden.' }))).toBe('Shown.\n');
  expect(bodyOf(hidden)).toBe('');
});

test('a pushed document keeps its text as it was sent, else its description', () => {
  expect(bodyOf(pushed({ Content: ['# Own\n\n- list', 'Second.'], Description: 'Short.' }))).toBe(
    '# Own\n\n- list\n\nSecond.\n',
  );
  expect(bodyOf(pushed({ Content: ' ', Description: 'Short.' }))).toBe('Short.\n');
});

test('a page is read as it was extracted, without its frame', async () => {
  const { fields, structure } = await extractHtml(
    `<html lang=en><head><title>Opening hours</title></head><body><nav><a href=/>Home</a> <a href=/shop>Shop</a></nav>
    <main><h1>Opening hours</h1><p>The garden is open every day of the year, from early spring until the late autumn.</p>
    <h2>Tickets</h2><ul><li>Adults pay five euros for a ticket</li><li>Children pay nothing at the gate</li></ul></main>
    <footer>Imprint and legal notices of the garden</footer></body></html>`,
  );

  const { markdown } = markdownOf({ ...storedDocument({ rid: 1 }), fields, structure });

  expect(bodyOf({ markdown })).toBe(
    '# Opening hours\n\nThe garden is open every day of the year, from early spring until the late autumn.\n\n' +
      '## Tickets\n\n- Adults pay five euros for a ticket\n- Children pay nothing at the gate\n',
  );
});
