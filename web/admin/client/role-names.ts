import type { Role } from './client-context.ts';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  operator: 'Operator',
  editor: 'Editor',
  reader: 'Reader of statistics',
};
