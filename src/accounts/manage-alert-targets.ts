import type { AlertTarget } from '../core/alert-target.ts';
import { AppError } from '../core/errors.ts';
import { refuseManaged } from '../core/managed-record.ts';
import type { Actor } from '../storage/system/accounts.ts';
import type { AlertTargetStore } from '../storage/system/alert-targets.ts';
import {
  type ChangeDeps,
  changeRecords,
  type MatchedChange,
  requireRecord,
  type SentChange,
} from './account-change.ts';
import type { ParseAlertTarget } from './alert-target-settings.ts';
import { mergePatch } from './manage-engines.ts';
import { parseMembers } from './problems.ts';

/** What `managedBy` says of a target that variables describe. */
export const ENVIRONMENT = 'environment';

export type AlertTargetDeps = ChangeDeps & {
  readonly store: Pick<AlertTargetStore, 'listAlertTargets'>;
  readonly parseAlertTarget: ParseAlertTarget;
  /** Those that variables describe. */
  readonly environmentTargets: readonly AlertTarget[];
};

/** All targets, those of the environment first. */
export async function listAlertTargets({ store, environmentTargets }: ListDeps): Promise<readonly AlertTarget[]> {
  return [...environmentTargets, ...(await store.listAlertTargets())];
}

type ListDeps = Pick<AlertTargetDeps, 'environmentTargets'> & {
  readonly store: Pick<AlertTargetStore, 'listAlertTargets'>;
};

/** @throws AppError `record.not-found` */
export async function requireAlertTarget(deps: ListDeps, id: number): Promise<AlertTarget> {
  const targets = await listAlertTargets(deps);
  return requireRecord(
    'alert target',
    id,
    targets.find((target) => target.id === id),
  );
}

/** @throws AppError `request.invalid` · `record.conflict` when the name is taken */
export async function addAlertTarget(deps: AlertTargetDeps, { actor, sent }: SentChange): Promise<AlertTarget> {
  const settings = deps.parseAlertTarget(parseMembers(sent));
  const [id = 0] = await changeRecords(deps, actor, [{ kind: 'put-alert-target', settings }]);
  return requireAlertTarget(deps, id);
}

/**
 * Changes the members that were sent (RFC 7396): `null` brings back a default.
 * @throws AppError `request.invalid` · `record.not-found` · `record.managed` · `record.conflict` when the name is taken, or
 * somebody else has changed the target meanwhile (`record.changed` of a matched one)
 */
export async function changeAlertTarget(
  deps: AlertTargetDeps,
  id: number,
  { actor, sent, matched }: MatchedChange<AlertTarget>,
): Promise<AlertTarget> {
  const target = await changeable(deps, id, matched);
  const settings = deps.parseAlertTarget(mergePatch({ ...target.settings }, parseMembers(sent)), target.settings);
  await changeRecords(deps, actor, [
    { kind: 'put-alert-target', id, settings, seen: target, isMatched: matched !== undefined },
  ]);
  return { ...target, settings };
}

/** @throws AppError `record.not-found` · `record.managed` */
export async function removeAlertTarget(deps: AlertTargetDeps, id: number, actor: Actor): Promise<void> {
  await changeable(deps, id);
  await changeRecords(deps, actor, [{ kind: 'remove-alert-target', id }]);
}

async function changeable(deps: AlertTargetDeps, id: number, matched?: AlertTarget): Promise<AlertTarget> {
  const target = matched ?? (await requireAlertTarget(deps, id));
  if (target.managedBy === ENVIRONMENT) {
    const message = `The alert target ${id} is described by variables: change them (docs/operations.md) and start again`;
    throw new AppError('record.managed', message);
  }
  refuseManaged('alert target', target);
  return target;
}
