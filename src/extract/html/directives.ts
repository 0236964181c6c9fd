import type { Directives } from '../extraction.ts';
import type { PageFacts } from './page-facts.ts';

type Statement = { readonly source: string; readonly own: boolean; readonly text: string };

const OWN_NAMES = new Set(['fossick', 'fossickbot']);
/** Directives that are written like the name of a robot: `name: value`. */
const WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * What a page asks of search engines: meta tags and the `X-Robots-Tag` header. Statements for this robot win over
 * general ones; of equal ones the strictest counts.
 */
export function readDirectives(facts: PageFacts | undefined, header: string | undefined): Directives {
  const statements = [...ofMetas(facts), ...ofHeader(header ?? '')];
  const own = statements.filter((statement) => statement.own);
  const chosen = own.length > 0 ? own : statements;
  const words = new Set(chosen.flatMap(({ text }) => text.toLowerCase().split(/[\s,]+/)));
  const has = (...names: readonly string[]) => names.some((name) => words.has(name));
  const isSnippetOff = chosen.some(({ text }) => /\bmax-snippet\s*:\s*0\b/i.test(text));
  return {
    index: !has('noindex', 'none'),
    follow: !has('nofollow', 'none'),
    snippet: !has('nosnippet') && !isSnippetOff,
    unavailableAfter: earliest(chosen.map(({ text }) => expiryOf(text))),
    sources: [...new Set(chosen.map(({ source }) => source))],
  };
}

function ofMetas(facts: PageFacts | undefined): readonly Statement[] {
  const read = (name: string, own: boolean) =>
    (facts?.metas.get(name) ?? []).map((text) => ({ source: `meta ${name}`, own, text }));
  return [...read('robots', false), ...read('fossick', true), ...read('fossickbot', true)];
}

/** A name before a colon starts the statements of one robot; those of others are left out. */
function ofHeader(header: string): readonly Statement[] {
  const statements: Statement[] = [];
  let name = '';
  for (const part of header.split(',')) {
    const agent = /^\s*([a-z][a-z0-9_-]*)\s*:(.*)$/is.exec(part);
    const isAgent = agent !== null && !WITH_VALUE.has(agent[1]?.toLowerCase() ?? '');
    if (isAgent) name = agent[1]?.toLowerCase() ?? '';
    const text = isAgent ? (agent[2] ?? '') : part;
    if (text.trim() === '' || (name !== '' && !OWN_NAMES.has(name))) continue;
    statements.push({ source: 'header', own: OWN_NAMES.has(name), text: text.trim() });
  }
  return statements;
}

function expiryOf(text: string): number {
  const date = /unavailable_after\s*:\s*([^;]+)/i.exec(text)?.[1]?.trim() ?? '';
  return Date.parse(date.replace(/^[a-z]+,\s*/i, ''));
}

function earliest(times: readonly number[]): number | undefined {
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : Math.min(...known);
}
