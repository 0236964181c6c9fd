import type { AlertTarget, ReportedFinding } from '../core/alert-target.ts';
import type { Receipt } from '../delivery/deliver.ts';
import { digestMessage, testMessage } from './alert-message.ts';
import type { AlertDeps } from './tell-targets.ts';

export type TestDeps = Pick<AlertDeps, 'deliverTo' | 'store' | 'digestFacts' | 'clock' | 'newId' | 'installation'> & {
  readonly openFindings: () => Promise<readonly Omit<ReportedFinding, 'since'>[]>;
};

export const TEST_MESSAGES = ['test', 'digest'] as const;

export type TestedTarget = Receipt & { readonly milliseconds: number };

/** Sends one message at once, whatever the hours and severities of the target; waits for the receiver 10 s at most. */
export async function testTarget(
  deps: TestDeps,
  target: AlertTarget,
  { message, signal }: { readonly message: (typeof TEST_MESSAGES)[number]; readonly signal: AbortSignal },
): Promise<TestedTarget> {
  const startedAt = deps.clock.now();
  const head = { id: deps.newId(), at: startedAt, installation: deps.installation };
  const outgoing = message === 'test' ? testMessage(head) : digestMessage(head, await digestFacts(deps, startedAt));
  const deliver = await deps.deliverTo(target);
  const receipt = await deliver(outgoing, signal);
  const at = deps.clock.now();
  if (receipt.taken) await deps.store.noteAlertTaken({ targetId: target.id, at });
  return { ...receipt, milliseconds: at - startedAt };
}

async function digestFacts({ openFindings, digestFacts: read }: TestDeps, since: number) {
  const findings = (await openFindings()).map((finding) => ({ ...finding, since }));
  return { findings, ...(await read()) };
}
