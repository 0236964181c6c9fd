import { z } from 'zod';
import type { AlertSettings, AlertTarget } from '../core/alert-target.ts';
import { AppError, type Problem } from '../core/errors.ts';
import type { RecordChange } from '../storage/system/accounts.ts';
import { HIGHEST_ID } from './account-change.ts';
import { hideAlertSecrets, type ParseAlertTarget } from './alert-target-settings.ts';
import { check, problemAt } from './problems.ts';

/** Lower ones are those of the environment. */
const LOWEST_ID = 10;
const LIST = z.array(z.looseObject({ id: z.int().min(LOWEST_ID).max(HIGHEST_ID) })).default([]);

type Step = {
  readonly planned: {
    readonly action: 'create' | 'change' | 'release';
    readonly record: string;
    readonly members: readonly string[];
  };
  readonly change: RecordChange;
};
type WantedAlertTarget = { readonly id: number; readonly settings: AlertSettings };
type PresentAlertTargets = ReadonlyMap<number, AlertTarget>;

/** The member `alertTargets` of a provision file, and what is wrong with it. */
export function readAlertTargets(
  { parseAlertTarget }: { readonly parseAlertTarget: ParseAlertTarget },
  list: unknown,
  present: PresentAlertTargets,
): { readonly wanted: readonly WantedAlertTarget[]; readonly problems: readonly Problem[] } {
  const checked = check(LIST, list, { path: ['alertTargets'] });
  if (!checked.isRight) return { wanted: [], problems: checked.problems };
  const problems: Problem[] = [];
  const wanted: WantedAlertTarget[] = [];
  for (const [index, { id, ...members }] of checked.value.entries()) {
    const path = ['alertTargets', index];
    try {
      wanted.push({ id, settings: parseAlertTarget(members, present.get(id)?.settings, { path, beside: ['id'] }) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(...(error.options.problems ?? [problemAt(path, error.message)]));
    }
  }
  return { wanted, problems: [...problems, ...repeated(wanted), ...takenNames(wanted, present)] };
}

function repeated(wanted: readonly WantedAlertTarget[]): readonly Problem[] {
  const earlier = (index: number) => wanted.slice(0, index);
  return wanted.flatMap(({ id, settings: { name } }, index) => [
    ...(earlier(index).some((other) => other.id === id)
      ? [problemAt(['alertTargets', index, 'id'], `there is another alert target ${id} in the file`)]
      : []),
    ...(earlier(index).some((other) => other.settings.name === name)
      ? [problemAt(['alertTargets', index, 'name'], `there is another alert target ${name} in the file`)]
      : []),
  ]);
}

/** Names that targets have which the file does not name. */
function takenNames(wanted: readonly WantedAlertTarget[], present: PresentAlertTargets): readonly Problem[] {
  const named = new Set(wanted.map(({ id }) => id));
  const others = [...present.values()].filter(({ id }) => !named.has(id));
  return wanted.flatMap(({ settings: { name } }, index) => {
    const taken = others.find(({ settings }) => settings.name === name);
    return taken === undefined
      ? []
      : [problemAt(['alertTargets', index, 'name'], `the alert target ${taken.id} has this name`)];
  });
}

/** What makes the stored targets what the file wants; those that it named before are released. */
export function planAlertTargets(
  wanted: readonly WantedAlertTarget[],
  { present, managedBy }: { readonly present: PresentAlertTargets; readonly managedBy: string },
): readonly Step[] {
  const named = new Set(wanted.map(({ id }) => id));
  const changes = wanted.flatMap(({ id, settings }): Step[] => {
    const known = present.get(id);
    const record = `alert target ${id} (${settings.name})`;
    const change: RecordChange = { kind: 'put-alert-target', id, settings, managedBy };
    if (known === undefined) return [{ planned: { action: 'create', record, members: [] }, change }];
    const members = differing(known, { settings, managedBy });
    return members.length === 0 ? [] : [{ planned: { action: 'change', record, members }, change }];
  });
  const released = [...present.values()]
    .filter((target) => target.managedBy === managedBy && !named.has(target.id))
    .map(({ id, settings }): Step => {
      const record = `alert target ${id} (${settings.name})`;
      return {
        planned: { action: 'release', record, members: [] },
        change: { kind: 'put-alert-target', id, settings },
      };
    });
  return [...changes, ...released];
}

function differing(
  known: AlertTarget,
  { settings, managedBy }: { readonly settings: AlertSettings; readonly managedBy: string },
): readonly string[] {
  const [before, after] = [new Map(Object.entries(known.settings)), new Map(Object.entries(settings))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)));
  return known.managedBy === managedBy ? changed : [...changed, 'managedBy'];
}

/** As the members of a provision file; secrets as `set`. */
export function exportAlertTargets(targets: readonly AlertTarget[]): readonly Readonly<Record<string, unknown>>[] {
  return targets.map(({ id, settings }) => ({ id, ...hideAlertSecrets(settings) }));
}
