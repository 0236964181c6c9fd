import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../src/extract/page-language.ts';

const GERMAN =
  'Die Rückgabe ist innerhalb von dreißig Tagen möglich, wenn die Ware unbenutzt ist und die Verpackung noch vorliegt.';
const ENGLISH = 'Goods can be returned within thirty days if they are unused and the packaging is still at hand.';

const found = (text: string, ...declared: readonly string[]) => languageOf(text, { fixed: undefined, declared });

test("the operator's setting wins over text and page", () => {
  expect(languageOf(GERMAN, { fixed: 'da', declared: ['en'] })).toEqual({
    code: 'da',
    confidence: 1,
    from: 'settings',
  });
});

describe('a long text', () => {
  test('wins over what a template declares', () => {
    expect(found(GERMAN, 'en')).toMatchObject({ code: 'de', from: 'text' });
  });

  test('gives way to a declared language that the detector does not know', () => {
    expect(found('Gellir dychwelyd nwyddau o fewn tri deg diwrnod os nad ydynt wedi cael eu defnyddio.', 'cy')).toEqual(
      expect.objectContaining({ code: 'cy', from: 'declared' }),
    );
  });

  test('that begins with a menu in another language is told by the rest of it', () => {
    const menu = 'Home News Products Services Contact About us Search Login Register Cart Checkout '.repeat(5);
    expect(found(menu + GERMAN.repeat(30))).toMatchObject({ code: 'de' });
  });

  test('in no language that is known has none', () => {
    expect(found('Xqzw vbnm kjhg qwrt zxcv plkj mnbv tgbn yhnm ujmk '.repeat(5))).toBeUndefined();
  });
});

describe('a short text', () => {
  test.each([
    ['Kontakt os', 'da'],
    ['Contact', 'fr-CA, en'],
    ['Kontakt', 'no'],
  ])('%s is what the page declares', (text, tag) => {
    expect(found(text, tag)).toMatchObject({ code: tag === 'no' ? 'nb' : tag.slice(0, 2), from: 'declared' });
  });

  test('takes the first declaration that names a language', () => {
    expect(found('Kontakt', '', 'zz', 'de')).toMatchObject({ code: 'de' });
  });

  test('is asked itself where nothing is declared', () => {
    expect(found('Wir liefern nur innerhalb Deutschlands')).toMatchObject({ code: 'de', from: 'text' });
  });
});

test.each([
  ['ja', '返品は商品の到着後三十日以内にお申し込みください。'],
  ['zh', '太阳能电池板将阳光转化为电能。'],
  ['ko', '태양광 패널은 햇빛을 전기로 바꿉니다.'],
  ['th', 'แผงโซลาร์เซลล์เปลี่ยนแสงแดดให้เป็นไฟฟ้า'],
  ['el', 'Τα ηλιακά πάνελ μετατρέπουν το φως.'],
  ['he', 'לוחות סולאריים הופכים את אור השמש לחשמל.'],
  ['ar', 'تحول الألواح الشمسية ضوء الشمس إلى كهرباء.'],
  ['fa', 'پنل‌های خورشیدی نور خورشید را به برق تبدیل می‌کنند و چند سال کار می‌کنند.'],
  ['ur', 'سولر پینل سورج کی روشنی کو بجلی میں بدل دیتے ہیں۔'],
])('%s is told by its script, whatever is declared', (language, text) => {
  expect(found(text, 'en')).toMatchObject({ code: language, from: 'script' });
});

test.each([
  ['Hans', '我们这里说的是国家和经济的发展问题。'],
  ['Hant', '我們這裡說的是國家和經濟的發展問題。'],
] as const)('Chinese is %s by its characters', (written, text) => {
  expect(found(text)).toMatchObject({ code: 'zh', written });
});

test('Indonesian is told from Malay by its words', () => {
  expect(
    found(
      'Perusahaan itu mencoba menjual mobil karena kantor tersebut membutuhkan uang, tapi bisa juga berbeda bulan Maret.',
    ),
  ).toMatchObject({ code: 'id' });
  expect(
    found('Syarikat itu cuba menjual kereta kerana pejabat tersebut memerlukan wang, iaitu selepas bulan Mac sahaja.'),
  ).toMatchObject({ code: 'ms' });
});

test.each([
  ['kk', 'Тауарды алған күннен бастап отыз күн ішінде қайтаруға болады, егер ол пайдаланылмаған болса.'],
  ['mn', 'Барааг хүлээн авснаас хойш гучин хоногийн дотор буцааж өгч болно, хэрэв хэрэглээгүй бол.'],
])('%s is told by letters that no language of the detector has', (language, text) => {
  expect(found(text)).toMatchObject({ code: language });
});

test('close calls are more doubtful than clear ones', () => {
  const clear = found(ENGLISH)?.confidence ?? 0;
  expect(clear).toBeGreaterThan(0.95);
  expect(clear).toBeLessThanOrEqual(1);
});
