import { urlPattern, urlTemplateOf } from '../../core/url-pattern.ts';
import { type PatternState, patternStatements } from './patterns.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

type PatternKey = { readonly crawlerId: number; readonly hostId: number };

/** Patterns of the new URLs of one write, looked up once each; what they count is stored at its end. */
export class PatternCounts {
  private readonly states = new Map<string, PatternState>();
  private readonly known = new Map<number, number>();

  /** The pattern of a new URL, which counts it. A new pattern of a closed URL template is closed with it. */
  count(db: SqliteDatabase, { url, ...position }: PatternKey & { readonly url: string }): PatternState {
    const pattern = urlPattern(url);
    const state = this.find(db, position, pattern) ?? this.add(db, position, { pattern, template: urlTemplateOf(url) });
    this.known.set(state.id, (this.known.get(state.id) ?? 0) + 1);
    return state;
  }

  store(db: SqliteDatabase): void {
    for (const [id, count] of this.known) db.runOf(patternStatements.addKnown, { id, count });
  }

  private find(db: SqliteDatabase, { hostId }: PatternKey, pattern: string): PatternState | undefined {
    const key = keyOf(hostId, pattern);
    const state = this.states.get(key) ?? db.firstOf(patternStatements.find, { hostId, pattern });
    if (state !== undefined) this.states.set(key, state);
    return state;
  }

  /** A URL template counts the patterns of it. */
  private add(
    db: SqliteDatabase,
    position: PatternKey,
    { pattern, template }: { pattern: string; template: string },
  ): PatternState {
    const id = db.runOf(patternStatements.insert, { ...position, pattern }).lastId;
    const alone: PatternState = { id, pattern, quarantine: 0, closed_at: null, close_rule: null };
    const state = template === pattern ? alone : this.join(db, position, { alone, template });
    this.states.set(keyOf(position.hostId, pattern), state);
    return state;
  }

  private join(
    db: SqliteDatabase,
    position: PatternKey,
    { alone, template }: { alone: PatternState; template: string },
  ) {
    const joined = this.find(db, position, template) ?? this.add(db, position, { pattern: template, template });
    const { id: urlTemplateId, closed_at, close_rule } = joined;
    this.known.set(urlTemplateId, (this.known.get(urlTemplateId) ?? 0) + 1);
    db.runOf(patternStatements.join, { id: alone.id, urlTemplateId, closedAt: closed_at, rule: close_rule });
    return { ...alone, closed_at, close_rule };
  }
}

function keyOf(hostId: number, pattern: string): string {
  return `${hostId} ${pattern}`;
}
