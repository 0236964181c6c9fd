import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitSentences } from '../../../src/text/sentences.ts';
import { cpuMs } from '../../helpers/cpu-time.ts';

test.each<[string, string, readonly string[]]>([
  ['en', 'Books are free. Films cost 2 euro.', ['Books are free.', 'Films cost 2 euro.']],
  ['en', 'See e.g. Smith or Dr. Jones. They agree.', ['See e.g. Smith or Dr. Jones.', 'They agree.']],
  ['en', 'J. R. Hartley wrote it. It sold well.', ['J. R. Hartley wrote it.', 'It sold well.']],
  ['en', 'Is it free? Yes! “It is.” Come in.', ['Is it free?', 'Yes!', '“It is.”', 'Come in.']],
  ['en', 'Version 3.11 is out. Use it.', ['Version 3.11 is out.', 'Use it.']],
  ['en', '1. Open the door. 2. Close it.', ['1. Open the door.', '2. Close it.']],
  ['en', 'Wait ... then go. Do it', ['Wait ... then go.', 'Do it']],
  ['en', 'Visit example.com. It is open.', ['Visit example.com.', 'It is open.']],
  ['de', 'Wir öffnen z. B. am 3. Oktober. Danach nicht.', ['Wir öffnen z. B. am 3. Oktober.', 'Danach nicht.']],
  ['de', 'Das kostet ca. 5 Euro. Bar zahlen.', ['Das kostet ca. 5 Euro.', 'Bar zahlen.']],
  ['fr', 'M. Dupont habite ici. Il est là.', ['M. Dupont habite ici.', 'Il est là.']],
  ['es', 'El Sr. López vive aquí. ¿Quién es?', ['El Sr. López vive aquí.', '¿Quién es?']],
  ['da', 'Det er bl.a. Hansen. Han er her.', ['Det er bl.a. Hansen.', 'Han er her.']],
  ['pl', 'Zadzwoń np. Jutro. Czekamy.', ['Zadzwoń np. Jutro.', 'Czekamy.']],
  ['bg', 'Елате на ул. Шипка, напр. Утре. Чакаме.', ['Елате на ул. Шипка, напр. Утре.', 'Чакаме.']],
  ['ja', '本は無料です。映画は有料です。', ['本は無料です。', '映画は有料です。']],
  ['zh', '几点开门？九点。', ['几点开门？', '九点。']],
  ['hi', 'यह खुला है। वह बंद है।', ['यह खुला है।', 'वह बंद है।']],
  ['ar', 'هل هو مفتوح؟ نعم.', ['هل هو مفتوح؟', 'نعم.']],
])('a line in %s is cut into its sentences: %s', (language, line, sentences) => {
  expect(splitSentences(line, language)).toEqual(sentences);
});

test('Thai, which has no full stops, is cut at blanks into phrases of some length', () => {
  const phrase = 'ห้องสมุดเปิดให้บริการทุกวันตั้งแต่เวลาเก้านาฬิกาถึงสิบเจ็ดนาฬิกาโดยไม่มีค่าใช้จ่าย';
  expect(splitSentences(`${phrase} ${phrase} จบ`, 'th')).toEqual([phrase, phrase, 'จบ']);
});

test('sentences together are the line with its runs of blanks as one', () => {
  const part = fc.constantFrom(
    'One ',
    'two. ',
    'Three!? ',
    '3. ',
    'e.g. ',
    '“x.” ',
    '。',
    '本',
    '... ',
    '\n',
    ')',
    'ไทย ',
    'é.',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.constantFrom('en', 'de', 'ja'), (parts, language) => {
      const line = parts.join('');
      const plain = line.replace(/\s+/g, ' ').trim();
      const sentences = splitSentences(line, language);
      expect(sentences.every((sentence) => sentence !== '')).toBe(true);
      expect(sentences.join('').replaceAll(' ', '')).toBe(plain.replaceAll(' ', ''));
    }),
  );
});

test.each([
  ['full stops', '.'],
  ['full stops and quotes', '."'],
  ['abbreviations', 'e.g. '],
  ['blanks', ' '],
  ['letters', 'a'],
  ['Thai letters', 'ก '],
])('a million characters of %s take less than a second of CPU', (_name, part) => {
  const text = part.repeat(1_000_000 / part.length);
  expect(cpuMs(() => splitSentences(text, 'en'))).toBeLessThan(1_000);
});
