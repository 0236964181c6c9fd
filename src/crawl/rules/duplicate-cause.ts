/** Why two URLs may have the same content, by what differs between them, and the setting that makes them one. */
export type DuplicateCause = { readonly cause: string; readonly setting: SettingProposal | undefined };

export type SettingProposal = { readonly setting: string; readonly value: string | boolean };

const INDEX_FILE = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i;
const PRINT = /print|druck|pdf|amp|mobile/i;
const PAGING = /^(?:page|p|seite|start|offset|from)$/i;

/** `better` is the URL that keeps the document. Pure; a guess, for a report. */
export function causeOfDuplicate(url: string, better: string): DuplicateCause {
  const [a, b] = [new URL(url), new URL(better)];
  const sameRest = a.pathname === b.pathname && a.search === b.search;
  const bare = (host: string) => host.replace(/^www\./, '');
  if (a.host !== b.host) {
    if (bare(a.host) !== bare(b.host) || !sameRest) return { cause: 'another host', setting: undefined };
    return { cause: 'www', setting: { setting: 'urlForm.www', value: b.host.startsWith('www.') ? 'add' : 'remove' } };
  }
  if (a.protocol !== b.protocol && sameRest) {
    return { cause: 'scheme', setting: { setting: 'urlForm.scheme', value: 'https' } };
  }
  return a.pathname === b.pathname ? causeOfQuery(a, b) : causeOfPath(a, b);
}

function causeOfQuery(a: URL, b: URL): DuplicateCause {
  const names = [...new Set([...a.searchParams.keys(), ...b.searchParams.keys()])];
  const differing = names.filter((name) => a.searchParams.getAll(name).join() !== b.searchParams.getAll(name).join());
  const [name] = differing;
  if (name === undefined)
    return { cause: 'order of parameters', setting: { setting: 'urlForm.sortQuery', value: true } };
  const cause = PAGING.test(name) ? 'paging' : PRINT.test(name) ? 'print view' : `parameter ${differing.join(', ')}`;
  const isOne = differing.length === 1 && !b.searchParams.has(name) && !PAGING.test(name);
  return { cause, setting: isOne ? { setting: 'queryParams.strip', value: name } : undefined };
}

function causeOfPath(a: URL, b: URL): DuplicateCause {
  if (a.search !== b.search) return { cause: 'path', setting: undefined };
  const bare = (path: string) => path.replace(/\/$/, '');
  if (bare(a.pathname) === bare(b.pathname)) {
    const value = b.pathname.endsWith('/') ? 'add' : 'remove';
    return { cause: 'trailing slash', setting: { setting: 'urlForm.trailingSlash', value } };
  }
  if (a.pathname.replace(INDEX_FILE, '/') === b.pathname.replace(INDEX_FILE, '/')) {
    return { cause: 'index file', setting: { setting: 'urlForm.indexFiles', value: 'strip' } };
  }
  return { cause: PRINT.test(a.pathname) ? 'print view' : 'path', setting: undefined };
}

/** Duplicates of one cause from which a setting is offered (crawling 8.3), and of one parameter (crawling 18). */
const OFFERED_FROM = 20;
const PARAMETER_FROM = 5;

export type OfferedSetting = SettingProposal & { readonly duplicates: number };

/** Settings that would make at least 20 duplicates (5 of one parameter) one URL each, the most useful first. */
export function offeredSettings(causes: readonly DuplicateCause[]): readonly OfferedSetting[] {
  const counts = new Map<string, OfferedSetting>();
  for (const { setting } of causes) {
    if (setting === undefined) continue;
    const key = `${setting.setting}=${setting.value}`;
    counts.set(key, { ...setting, duplicates: (counts.get(key)?.duplicates ?? 0) + 1 });
  }
  const enough = (offer: OfferedSetting) =>
    offer.duplicates >= (offer.setting === 'queryParams.strip' ? PARAMETER_FROM : OFFERED_FROM);
  return [...counts.values()].filter(enough).sort((a, b) => b.duplicates - a.duplicates);
}
