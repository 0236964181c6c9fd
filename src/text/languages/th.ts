import type { LanguagePack } from './language-pack.ts';

export const THAI: LanguagePack = {
  code: 'th',
  stopWords: `ที่ และ หรือ แต่ เพราะ ถ้า เมื่อ ว่า ซึ่ง อัน จึง ก็ ใน ของ จาก ถึง กับ แก่ แด่ โดย ด้วย ตาม บน ใต้ ระหว่าง
    เป็น คือ มี ได้ ไม่ จะ ให้ อยู่ ต้อง อาจ ควร แล้ว กำลัง
    ฉัน ผม เรา คุณ เขา เธอ มัน นี้ นั้น นี่ นั่น
    อะไร ใคร ไหน เมื่อไร ทำไม อย่างไร เท่าไร กี่ ไหม`,
  abbreviations: undefined,
  definitionVerbs: undefined,
  injectionWords: undefined,
  synonyms: undefined,
  answers: undefined,
};
