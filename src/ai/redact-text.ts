/** Every part is bounded, so that no text costs more than its length. */
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
/** Digits with blanks, dots, dashes, slashes and brackets between them: phones, cards, accounts and ids of people. */
const LONG_NUMBER = /(?:\+|\b)\d(?:[ \u00a0().\-/]{0,2}\d){6,24}\b/g;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})$/;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g;

/** Text as it may be stored: e-mail addresses and numbers of seven digits and more are replaced, dates are not. */
export function redactText(text: string): string {
  return text
    .replace(EMAIL, '[e-mail]')
    .replace(IBAN, '[number]')
    .replace(LONG_NUMBER, (found) => (DATE.test(found) ? found : '[number]'));
}
