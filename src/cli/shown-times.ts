import type { Printer, Row } from './command.ts';

/** A duration of at least 0 ms for people: two units at most. */
export function durationText(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Between two times of the admin API; `-` until both are known. */
export function durationBetween(start: unknown, end: unknown): string {
  const ms = Date.parse(String(end)) - Date.parse(String(start));
  return ms >= 0 ? durationText(ms) : '-';
}

/** A time of the admin API to the minute: `2026-11-20 11:24 UTC`. */
export function timeShown(time: unknown): string {
  return typeof time === 'string' ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC` : '-';
}

const FIELD_COLUMNS = ['name', 'source', 'value'];
const SECTION_COLUMNS = ['headings', 'page', 'quoted', 'characters', 'text'];
const BLOCK_COLUMNS = ['chosen', 'p', 'vote', 'rule', 'kind', 'why', 'text'];
const RULE_COLUMNS = ['rule', 'name', 'outcome', 'dropped', 'raw', 'values'];
const LINK_COLUMNS = ['inScope', 'follow', 'reason', 'rule', 'url'];
const LINKS = 30;

/** What was read from a page or file; its links are in the JSON. */
export function showPage(print: Printer, page: Row, { isExplained }: { readonly isExplained: boolean }): void {
  const { url, httpStatus, status, note, kind, media, charset, language, languageFrom } = page;
  print.record({
    url,
    ...(httpStatus !== null && { answer: httpStatus }),
    result: note === '' ? status : `${status}: ${note}`,
    kind,
    media,
    charset,
    language: language === null ? null : `${language} (${languageFrom})`,
  });
  showFields(print, page);
  showSections(print, page);
  if (isExplained) showDecisions(print, page);
  showNotes(print, page);
}

/** Fields and links of a page that was visited. */
export function showFieldsAndLinks(print: Printer, page: Row): void {
  showFields(print, page);
  const { links, linkCount } = page;
  print.note('');
  print.rows((links as readonly Row[]).slice(0, LINKS), LINK_COLUMNS, 'no links');
  if (Number(linkCount) > LINKS) print.note(`${linkCount} links in all: --json shows more`);
}

/** What became of every block, and what every rule for a field did. */
export function showDecisions(print: Printer, { blocks, rules }: Row): void {
  const ofBlocks = (blocks as readonly Row[]).map(({ probability, share, ...block }) => ({
    ...block,
    vote: Number(share) === 0 ? null : `on ${Math.round(Number(share) * 100)} %`,
    p: probability === null ? null : Number(probability).toFixed(2),
  }));
  print.note('');
  print.rows(ofBlocks, BLOCK_COLUMNS, 'no blocks');
  const ofRules = (rules as readonly Row[]).map(({ path, raw, values, ...rule }) => ({
    ...rule,
    rule: path,
    raw: joined(raw),
    values: joined(values),
  }));
  if (ofRules.length === 0) return;
  print.note('');
  print.rows(ofRules, RULE_COLUMNS);
}

/** Limits that cut something, and what did not agree. */
export function showNotes(print: Printer, { notes, hiddenChars }: Row): void {
  const hidden = Number(hiddenChars) > 0 ? [`${hiddenChars} characters that a reader cannot see`] : [];
  const told = [...(notes as readonly string[]), ...hidden];
  if (told.length > 0) print.note(`\nnotes: ${told.join(', ')}`);
}

function showFields(print: Printer, { fields }: Row): void {
  const rows = (fields as readonly Row[]).map(({ name, source, values }) => ({ name, source, value: joined(values) }));
  print.note('');
  print.rows(rows, FIELD_COLUMNS, 'no fields');
}

function showSections(print: Printer, { sections }: Row): void {
  const rows = (sections as readonly Row[]).map(({ headings, page, grounding, chars, text }) => ({
    headings: (headings as readonly string[]).join(' > '),
    page,
    quoted: grounding === true ? 'yes' : 'no',
    characters: chars,
    text,
  }));
  print.note('');
  print.rows(rows, SECTION_COLUMNS, 'no sections');
}

function joined(values: unknown): string {
  return (values as readonly string[]).join(' | ');
}
