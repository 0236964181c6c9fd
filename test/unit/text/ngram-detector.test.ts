import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createNgramDetector, readLanguageTables } from '../../../src/text/language.ts';

const part = (path: string) => new URL(path, import.meta.resolve('eld/small'));

const { separators } = (await import(part('../regexPatterns.js').href)) as { separators: RegExp };
const { dictionary } = (await import(part('../dictionary.js').href)) as { dictionary: string[] };
const { avgScore } = (await import(part('../avgScore.js').href)) as { avgScore: Record<string, number> };
const { default: eld } = (await import('eld/small')) as {
  default: { detect(text: string): { getScores(): Record<string, number>; isReliable(share: number): boolean } };
};
const detect = createNgramDetector({
  tables: readLanguageTables(readFileSync(fileURLToPath(part('../ngrams/small.js')), 'utf8')),
  separators,
  signs: dictionary,
  usual: avgScore,
});

test.each([
  'Solar panels turn sunlight into power, and one panel lasts about twenty-five years.',
  'Aujourd’hui, l’électricité n’est pas chère ; à l’été c’est différent.',
  'Solární panely přeměňují sluneční světlo na elektřinu a jeden panel obvykle vydrží asi dvacet pět let.',
  'Солнечные панели превращают солнечный свет в электричество и служат обычно около двадцати пяти лет.',
  'แผงโซลาร์เซลล์เปลี่ยนแสงแดดให้เป็นไฟฟ้า และแผงหนึ่งแผงมักใช้งานได้นานประมาณยี่สิบห้าปีบนหลังคาบ้าน'.repeat(3),
  '太阳能电池板将阳光转化为电能，一块电池板通常可以使用大约二十五年。'.repeat(9),
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorsitzender İstanbul 𝒳 a an and',
  `${'long words and short ones '.repeat(15)}after the cut all is new`,
  'ab',
  '12345 …',
])('scores and the number of n-grams are those of the package: %s', (text) => {
  const own = detect(text);
  const expected = eld.detect(text);

  expect(own.scores.map(({ language, score }) => [language, score])).toEqual(Object.entries(expected.getScores()));
  const [best] = own.scores;
  const isReliable = best !== undefined && own.ngrams >= 3 && best.score >= best.usual * 0.75;
  expect(isReliable).toBe(expected.isReliable(0.75));
});
