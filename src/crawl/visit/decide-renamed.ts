import { normalizeUrl } from '../../core/url.ts';
import { aliased } from './decide-alias.ts';
import { unguardedRemovalOf } from './decide-removal.ts';
import type { Decision, Target, VisitFacts } from './decision.ts';

/** The form that the present settings give a known URL; undefined when it has it already. */
export function renamedForm({ row, rules }: Pick<VisitFacts, 'row' | 'rules'>): string | undefined {
  const form = normalizeUrl(row.url, rules.urlRules);
  return form === undefined || form === row.url ? undefined : form;
}

/**
 * The operator has changed how URLs are written: the new form stands for the old one, whose document leaves when the
 * other is live. Nothing is fetched, so the host and its pace hear nothing.
 */
export function renamed(facts: VisitFacts, target: Target): Decision {
  const decision = aliased(facts, target);
  const leaves = decision.document !== undefined;
  const document = leaves ? unguardedRemovalOf(facts, { class: 'operator', cause: 'canonical' }) : undefined;
  return { ...decision, document, answer: undefined, pace: 'unused', readsLinks: false };
}
