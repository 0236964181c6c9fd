import { urlFamily, urlPattern } from '../../core/url-pattern.ts';
import { type PatternState, patternStatements } from './patterns.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

type Place = { readonly crawlerId: number; readonly hostId: number };

/** Patterns of the new URLs of one write, looked up once each; what they count is stored at its end. */
export class PatternCounts {
  private readonly states = new Map<string, PatternState>();
  private readonly known = new Map<number, number>();

  /** The pattern of a new URL, which counts it. A new pattern of a closed family is closed with it. */
  count(db: SqliteDatabase, { url, ...place }: Place & { readonly url: string }): PatternState {
    const pattern = urlPattern(url);
    const state = this.find(db, place, pattern) ?? this.add(db, place, { pattern, family: urlFamily(url) });
    this.known.set(state.id, (this.known.get(state.id) ?? 0) + 1);
    return state;
  }

  store(db: SqliteDatabase): void {
    for (const [id, count] of this.known) db.runOf(patternStatements.addKnown, { id, count });
  }

  private find(db: SqliteDatabase, { hostId }: Place, pattern: string): PatternState | undefined {
    const key = keyOf(hostId, pattern);
    const state = this.states.get(key) ?? db.firstOf(patternStatements.find, { hostId, pattern });
    if (state !== undefined) this.states.set(key, state);
    return state;
  }

  /** A family counts the patterns of it. */
  private add(
    db: SqliteDatabase,
    place: Place,
    { pattern, family }: { pattern: string; family: string },
  ): PatternState {
    const id = db.runOf(patternStatements.insert, { ...place, pattern }).lastId;
    const alone: PatternState = { id, pattern, doubt: 0, closed_at: null, close_rule: null };
    const state = family === pattern ? alone : this.join(db, place, { alone, family });
    this.states.set(keyOf(place.hostId, pattern), state);
    return state;
  }

  private join(db: SqliteDatabase, place: Place, { alone, family }: { alone: PatternState; family: string }) {
    const joined = this.find(db, place, family) ?? this.add(db, place, { pattern: family, family });
    const { id: familyId, closed_at, close_rule } = joined;
    this.known.set(familyId, (this.known.get(familyId) ?? 0) + 1);
    db.runOf(patternStatements.join, { id: alone.id, familyId, closedAt: closed_at, rule: close_rule });
    return { ...alone, closed_at, close_rule };
  }
}

function keyOf(hostId: number, pattern: string): string {
  return `${hostId} ${pattern}`;
}
