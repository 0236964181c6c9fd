import type { Generated } from 'kysely';

type Nullable<T> = T | null;

/** Tables of `system.db` about people who sign in. */
export type PersonTables = {
  people: {
    id: Generated<number>;
    email: string;
    name: Nullable<string>;
    role: string;
    /** JSON: ids. */
    customers: string;
    password_hash: Generated<Nullable<string>>;
    disabled_at: Nullable<number>;
    managed_by: Nullable<string>;
    created_at: number;
    last_sign_in_at: Generated<Nullable<number>>;
  };
  sessions: { token_sha256: string; person_id: number; created_at: number; used_at: number; expires_at: number };
  /** `person_id` null: whoever takes it becomes the first operator. */
  invitations: { token_sha256: string; person_id: Nullable<number>; created_at: number; expires_at: number };
};
