import type { UrlGroups } from '../../generated-types.ts';
import type { Count } from './count-list.tsx';

const MAX_SECTIONS = 12;

/**
 * Folders of a site with their pages, the largest first: patterns (`/docs/{w}.html`) by their folder. Where all lie in
 * one folder, that below it counts.
 */
export function sectionsOf({ groups }: UrlGroups): readonly Count[] {
  const folders = groups.map(({ value, count }) => ({ folders: foldersOf(value ?? ''), count }));
  const depth = sharedDepth(folders.map((group) => group.folders)) + 1;
  const counts = new Map<string, number>();
  for (const group of folders) {
    const label = `/${group.folders.slice(0, depth).join('/')}${group.folders.length > 0 ? '/' : ''}`;
    counts.set(label, (counts.get(label) ?? 0) + group.count);
  }
  return [...counts]
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_SECTIONS);
}

function foldersOf(pattern: string): readonly string[] {
  return pattern.split(/[?#]/, 1)[0]?.split('/').slice(1, -1) ?? [];
}

/** How many folders all have in common. */
function sharedDepth(all: readonly (readonly string[])[]): number {
  const [first = [], ...others] = all;
  const differs = first.findIndex((folder, depth) => others.some((folders) => folders[depth] !== folder));
  return differs === -1 ? first.length : differs;
}
