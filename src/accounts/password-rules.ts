import { z } from 'zod';
import { invalidRequest } from '../core/errors.ts';
import { problemAt } from './problems.ts';

export const MIN_PASSWORD_CHARS = 10;
/** Longer ones add nothing but work. */
export const MAX_PASSWORD_CHARS = 200;

export const PASSWORD = z.string().min(MIN_PASSWORD_CHARS).max(MAX_PASSWORD_CHARS);

/** The first that lists of stolen passwords try, of ten characters and more, in lower case. */
const COMMON: ReadonlySet<string> = new Set([
  ...['0123456789', '1234567890', '12345678910', '123456789a', '1234567891', '9876543210', '0987654321', '1234554321'],
  ...['qwertyuiop', 'qwertyuiop123', 'qwerty12345', 'qwerty123456', '1q2w3e4r5t', '1q2w3e4r5t6y', '1qaz2wsx3edc'],
  ...['q1w2e3r4t5', 'q1w2e3r4t5y6', 'asdfghjkl1', 'asdfghjkl123', 'qazwsxedcrfv', 'zaq12wsxcde3', 'zxcvbnm123'],
  ...['password12', 'password123', 'password1234', 'password12345', 'passwordpassword', 'passw0rd123', 'p@ssw0rd123'],
  ...['administrator', 'administrateur', 'admin12345', 'admin123456', 'adminadmin', 'administration', 'root123456'],
  ...['welcome123', 'welcome1234', 'changeme123', 'letmein123', 'iloveyou123', 'iloveyou12', 'loveyou123'],
  ...['unbelievable', 'basketball', 'volleyball', 'alexander1', 'michelle123', 'mynameis123', 'abcdefghij'],
  ...['abcdefghijk', 'abc1234567', 'abcd123456', 'abcd1234abcd', 'testtest123', 'test123456', 'default123'],
  ...['correcthorsebatterystaple', 'fossick123', 'fossickfossick', 'operator123', 'searchsearch', 'hallohallo'],
  ...[
    'passwort123',
    'passwort1234',
    'schatz12345',
    'motdepasse',
    'motdepasse1',
    'contrasena1',
    'wachtwoord',
    'geheim1234',
  ],
]);
const MIN_DIFFERENT_CHARS = 5;
/** So much may stand around the name of the mail address. */
const MAX_AROUND_NAME = 4;

/** @throws AppError `request.invalid` for a password that is the person's own address or tried first by everybody */
export function refuseWeakPassword(password: string, email: string): void {
  const reason = weaknessOf(password.toLowerCase(), email);
  if (reason !== undefined) throw invalidRequest([problemAt(['password'], reason)]);
}

function weaknessOf(password: string, email: string): string | undefined {
  const [name = ''] = email.split('@');
  const isName = name.length >= 3 && password.replace(name, '').length <= MAX_AROUND_NAME && password.includes(name);
  if (password === email || isName) return 'must not be the mail address or its name';
  if (new Set(password).size < MIN_DIFFERENT_CHARS) return `must have ${MIN_DIFFERENT_CHARS} different characters`;
  return COMMON.has(password) ? 'is one of the passwords that are tried first: take another one' : undefined;
}
