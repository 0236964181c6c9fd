import { ARABIC } from './ar.ts';
import { BULGARIAN } from './bg.ts';
import { CATALAN } from './ca.ts';
import { CZECH } from './cs.ts';
import { DANISH } from './da.ts';
import { GERMAN } from './de.ts';
import { GREEK } from './el.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { FINNISH } from './fi.ts';
import { FRENCH } from './fr.ts';
import { HUNGARIAN } from './hu.ts';
import { INDONESIAN } from './id.ts';
import { ITALIAN } from './it.ts';
import { JAPANESE } from './ja.ts';
import type { AnswerWords, LanguagePack } from './language-pack.ts';
import { NORWEGIAN } from './nb.ts';
import { DUTCH } from './nl.ts';
import { POLISH } from './pl.ts';
import { PORTUGUESE } from './pt.ts';
import { ROMANIAN } from './ro.ts';
import { RUSSIAN } from './ru.ts';
import { SLOVENE } from './sl.ts';
import { SWEDISH } from './sv.ts';
import { THAI } from './th.ts';
import { TURKISH } from './tr.ts';
import { UKRAINIAN } from './uk.ts';
import { CHINESE } from './zh.ts';

/** Where two languages fit a text equally well, the one that stands first here is taken. */
export const LANGUAGE_PACKS: readonly LanguagePack[] = [
  ENGLISH,
  GERMAN,
  FRENCH,
  SPANISH,
  ITALIAN,
  DUTCH,
  PORTUGUESE,
  DANISH,
  SWEDISH,
  NORWEGIAN,
  FINNISH,
  POLISH,
  RUSSIAN,
  CZECH,
  UKRAINIAN,
  BULGARIAN,
  ARABIC,
  TURKISH,
  HUNGARIAN,
  ROMANIAN,
  GREEK,
  CATALAN,
  JAPANESE,
  CHINESE,
  THAI,
  SLOVENE,
  INDONESIAN,
];

type Table<T> = Readonly<Record<string, NonNullable<T>>>;

/** What each language has for a member, by its code; languages without it are left out. */
export function tableOf<Member extends keyof LanguagePack>(member: Member): Table<LanguagePack[Member]> {
  return tabled(LANGUAGE_PACKS.map((pack) => [pack.code, pack[member]]));
}

/** The same of the words for questions and answers. */
export function answerTableOf<Member extends keyof AnswerWords>(member: Member): Table<AnswerWords[Member]> {
  return tabled(LANGUAGE_PACKS.map(({ code, answers }) => [code, answers?.[member]]));
}

function tabled<T>(entries: readonly (readonly [code: string, value: T | undefined])[]): Table<T> {
  const known = entries.flatMap(([code, value]) =>
    value === undefined || value === null ? [] : [[code, value] as const],
  );
  return Object.fromEntries(known) as Table<T>;
}
