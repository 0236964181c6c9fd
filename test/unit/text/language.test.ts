import { expect, test } from 'vitest';
import { detectLanguage, languageCode } from '../../../src/text/language.ts';

test.each([
  ['en', 'Solar panels turn sunlight into power, and one panel lasts about twenty-five years.'],
  ['de', 'Der schnelle braune Fuchs springt über den faulen Hund und läuft dann davon.'],
  ['da', 'Solpaneler omdanner sollys til strøm, og et panel holder i omkring femogtyve år.'],
  ['nb', 'Solcellepaneler gjør sollys om til strøm, og et panel varer gjerne i omtrent tjuefem år hjemme hos deg.'],
  ['sv', 'Solpaneler omvandlar solljus till el, och en panel håller vanligtvis i ungefär tjugofem år på ditt tak.'],
  ['nl', 'Zonnepanelen zetten zonlicht om in stroom en een paneel gaat meestal ongeveer vijfentwintig jaar mee.'],
  [
    'fi',
    'Aurinkopaneelit muuttavat auringonvalon sähköksi, ja yksi paneeli kestää yleensä noin kaksikymmentäviisi vuotta.',
  ],
  ['fr', 'Les panneaux solaires transforment la lumière du soleil en électricité pendant environ vingt-cinq ans.'],
  ['es', 'Los paneles solares convierten la luz del sol en electricidad y duran aproximadamente veinticinco años.'],
  ['it', 'I pannelli solari trasformano la luce del sole in elettricità e durano in genere circa venticinque anni.'],
  ['pt', 'Os painéis solares transformam a luz do sol em eletricidade e duram cerca de vinte e cinco anos em casa.'],
  [
    'pl',
    'Panele słoneczne zamieniają światło słoneczne w prąd, a jeden panel działa zwykle około dwudziestu pięciu lat.',
  ],
  ['cs', 'Solární panely přeměňují sluneční světlo na elektřinu a jeden panel obvykle vydrží asi dvacet pět let.'],
  ['ru', 'Солнечные панели превращают солнечный свет в электричество и служат обычно около двадцати пяти лет.'],
  ['uk', 'Сонячні панелі перетворюють сонячне світло на електрику і служать зазвичай близько двадцяти п’яти років.'],
  [
    'el',
    'Τα ηλιακά πάνελ μετατρέπουν το φως του ήλιου σε ηλεκτρική ενέργεια και διαρκούν περίπου είκοσι πέντε χρόνια.',
  ],
  ['tr', 'Güneş panelleri güneş ışığını elektriğe dönüştürür ve bir panel genellikle yaklaşık yirmi beş yıl dayanır.'],
  ['ar', 'تحول الألواح الشمسية ضوء الشمس إلى كهرباء وتدوم اللوحة الواحدة عادة حوالي خمسة وعشرين عاما في المنزل.'],
  ['he', 'לוחות סולאריים הופכים את אור השמש לחשמל, ולוח אחד מחזיק בדרך כלל מעמד כעשרים וחמש שנים על הגג.'],
  ['zh', '太阳能电池板将阳光转化为电能，一块电池板通常可以使用大约二十五年。'.repeat(3)],
  [
    'ko',
    '태양광 패널은 햇빛을 전기로 바꾸며 패널 하나는 보통 약 이십오 년 동안 사용할 수 있습니다. 지붕에 설치하면 됩니다. 정말 좋습니다.',
  ],
  ['th', 'แผงโซลาร์เซลล์เปลี่ยนแสงแดดให้เป็นไฟฟ้า และแผงหนึ่งแผงมักใช้งานได้นานประมาณยี่สิบห้าปีบนหลังคาบ้าน'],
  ['ja', '太陽光パネルは日光を電力に変えます。'.repeat(5)],
])('%s is told from its text', (language, text) => {
  expect(languageCode(detectLanguage(text) ?? '')).toBe(language);
});

test('a text of fewer than 60 characters, or without words, has no language', () => {
  expect(detectLanguage('Solar panels')).toBeUndefined();
  expect(detectLanguage('1234567890 '.repeat(10))).toBeUndefined();
});

test.each([
  ['en', 'en'],
  ['en-GB', 'en'],
  ['EN_us', 'en'],
  ['eng', 'en'],
  ['deu', 'de'],
  ['zh-Hant-TW', 'zh'],
  ['iw', 'he'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  [' da ', 'da'],
  ['xx', undefined],
  ['zz-top', undefined],
  ['English', undefined],
  ['', undefined],
  ['e', undefined],
])('the tag %o names the language %s', (tag, code) => {
  expect(languageCode(tag)).toBe(code);
});
