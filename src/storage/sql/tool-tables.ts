import type { Generated } from 'kysely';

type ToolTable = {
  id: Generated<number>;
  customer_id: number;
  engine_id: number;
  record: string;
  managed_by: string | null;
  broken: Generated<string | null>;
};
type ToolPartTable = { id: Generated<number>; parent_id: number; position: number; value: string };

/** Of `system.db`: search tools. */
export type ToolTables = {
  banners: ToolTable;
  rankings: ToolTable;
  quicklinks: ToolTable;
  hidden_pages: ToolTable;
  banner_terms: ToolPartTable;
  ranking_terms: ToolPartTable;
  ranking_pages: ToolPartTable;
  quicklink_terms: ToolPartTable;
  tool_checks: { engine_id: number; checked_at: number };
  synonym_groups: {
    id: Generated<number>;
    customer_id: number;
    language: string;
    words: string;
    managed_by: string | null;
  };
};
