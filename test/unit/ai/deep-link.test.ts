import { expect, test } from 'vitest';
import { deepLink } from '../../../src/ai/deep-link.ts';

const PAGE = 'https://example.com/guide';
const place = (changes: object = {}) => ({ url: PAGE, page: undefined, anchor: undefined, ...changes });
const SENTENCE = 'A panel lasts 25 years.';

test.each([
  ['the anchor of its heading', place({ anchor: 'life time' }), SENTENCE, `${PAGE}#life%20time`],
  ['a page of a PDF', place({ url: `${PAGE}.pdf?v=2`, page: 7 }), SENTENCE, `${PAGE}.pdf?v=2#page=7`],
  ['a file whose pages have no address', place({ url: `${PAGE}.docx`, page: 7 }), SENTENCE, `${PAGE}.docx`],
  ['a short sentence', place(), SENTENCE, `${PAGE}#:~:text=A%20panel%20lasts%2025%20years.`],
  [
    'both ends of a long sentence',
    place(),
    'Solar panels, cleaned twice a year, turn most of the sunlight on them into well-used power.',
    `${PAGE}#:~:text=Solar%20panels%2C%20cleaned%20twice%20a,on%20them%20into%20well%2Dused%20power.`,
  ],
  ['a page with a fragment of its own', place({ url: `${PAGE}#/route` }), SENTENCE, `${PAGE}#/route`],
  ['no text', place(), '  ', PAGE],
  ['no address', place({ url: '' }), SENTENCE, ''],
  ['no whole characters', place(), `a\ud800`, `${PAGE}#:~:text=a%EF%BF%BD`],
])('leads to %s', (_what, passage, quoted, link) => {
  expect(deepLink(passage, quoted)).toBe(link);
});
