import { expect, test } from 'vitest';
import { withoutOwnWords } from '../../../scripts/evaluate/extraction/reference-text.ts';

test.each([
  ['docx2txt', 'Text o f\n         o Inner entry', 'Text o f Inner entry'],
  ['docx2txt', '   * HYPERLINK "https://site.example/a" \\o "A" see HYPERLINK', '* see HYPERLINK'],
  [
    'unrtf',
    'AUTHOR: Ada Holm\nHours, ,days,### creation date: 4 March 2026 05:20 \nThe AUTHOR: Ada',
    'The AUTHOR: Ada',
  ],
  ['odt2txt', '[-- Image: Image1 --]Ada Holm2026-03-04T00:00:00Is this so?', 'Ada Holm Is this so?'],
  ['antiword', 'AUTHOR: Ada Holm', 'AUTHOR: Ada Holm'],
  [undefined, '[-- Image: Image1 --]', '[-- Image: Image1 --]'],
])('a reference text of %s is cleaned of what the tool adds', (tool, text, cleaned) => {
  expect(withoutOwnWords(text, tool).replace(/\s+/g, ' ').trim()).toBe(cleaned);
});
