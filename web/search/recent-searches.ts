const MOST_KEPT = 10;
/** All documents: no query of a visitor. */
const MATCH_ALL = '*';

/** The visitor's last searches, newest first; kept on the device alone, and only where the engine allows it. */
export type RecentSearches = {
  readonly list: () => readonly string[];
  readonly add: (query: string) => void;
  readonly clear: () => void;
};

export function createRecentSearches(engineId: number): RecentSearches {
  const key = `fossick.recent.${engineId}`;
  const list = () => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : [];
    } catch {
      return [];
    }
  };
  return {
    list,
    add: (query) => {
      if (query === '' || query === MATCH_ALL) return;
      const others = list().filter((other) => other.toLowerCase() !== query.toLowerCase());
      store(() => localStorage.setItem(key, JSON.stringify([query, ...others].slice(0, MOST_KEPT))));
    },
    clear: () => store(() => localStorage.removeItem(key)),
  };
}

/** A browser may keep nothing: then there are no recent searches. */
function store(change: () => void): void {
  try {
    change();
  } catch {}
}
