import type { Generated } from 'kysely';

type Nullable<T> = T | null;

/** Tables of alert targets and of what became of their messages. */
export type AlertTables = {
  alert_targets: {
    id: Generated<number>;
    name: string;
    settings: string;
    managed_by: Nullable<string>;
    created_at: number;
  };
  alert_states: {
    target_id: number;
    told: string;
    digest_on: Nullable<string>;
    taken_at: Nullable<number>;
    failing_since: Nullable<number>;
    problem: Nullable<string>;
  };
};
