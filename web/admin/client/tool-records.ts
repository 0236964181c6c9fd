import type { RankedPage } from '../generated-types.ts';
import type { AdminClient } from './admin-client.ts';
import type { PinBody } from './tool-types.ts';

/** Takes a change back. */
export type Undo = () => Promise<unknown>;

/** Adds a record; taken back by removing it. */
export async function add(client: AdminClient, path: string, body: unknown): Promise<Undo> {
  const { body: made } = await client.post<{ readonly id: number }>(path, { body });
  return () => client.delete(`${path}/${made.id}`);
}

/** Removes a record; taken back by making it anew. */
export async function drop(client: AdminClient, path: string, id: number): Promise<Undo> {
  const { body } = await client.get<Record<string, unknown>>(`${path}/${id}`);
  await client.delete(`${path}/${id}`);
  return () => client.post(path, { body: editablePart(path, body) });
}

const EDITABLE = {
  banners: [
    'name',
    'html',
    'queries',
    'disabled',
    'from',
    'to',
    'audiences',
    'engines',
    'frequency',
    'daysOfWeek',
    'cssCode',
    'jsonOption',
    'editorType',
  ],
  quicklinks: ['url', 'queries'],
  synonyms: ['language', 'words'],
  rankings: ['name', 'queries', 'audiences', 'pins'],
} as const;

/** What of a record its routes take back. */
export function editablePart(path: string, record: object): Record<string, unknown> {
  const kind = (path.split('/').at(-1) ?? '') as keyof typeof EDITABLE;
  const names: readonly string[] = EDITABLE[kind] ?? [];
  const entries = names
    .map((name) => [name, Reflect.get(record, name)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, name === 'pins' ? pinBodies(value) : value]));
}

function pinBodies(pins: unknown): readonly PinBody[] {
  return (pins as readonly RankedPage[]).map(pinBody);
}

/** A pin as its routes take it. */
export function pinBody({ documentId, place }: Pick<RankedPage, 'documentId' | 'place'>): PinBody {
  return place === null ? { documentId, hidden: true } : { documentId, place };
}
