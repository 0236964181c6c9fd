import { expect, test } from 'vitest';
import { pdfBlocks } from '../../../../src/extract/files/pdf/pdf-text.ts';

test.each([
  ['a word that was parted', 'over\ufffeland', 'overland'],
  ['two names', 'Rhein\ufffeMain', 'Rhein-Main'],
  ['a number', 'COVID\ufffe19', 'COVID-19'],
  ['ligatures', 'e\ufb03cient \ufb02oor', 'efficient floor'],
  ['characters that nobody sees', 'one\u0002two', 'one two'],
])('%s at the end of a line', (_, text, shown) => {
  expect(pdfBlocks([[{ text, isHidden: false }]], [])).toMatchObject([{ kind: 'paragraph', text: shown }]);
});
