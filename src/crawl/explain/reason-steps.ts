import type { Reason } from '../../core/crawl-words.ts';
import type { StepName } from './explanation.ts';

const words = (text: string) => text.split(' ') as Reason[];

/** Reasons by the step that they belong to; what stands in none is good news. */
const REASONS_OF_STEP: Readonly<Partial<Record<StepName, readonly Reason[]>>> = {
  scope: words(
    'out-of-domain excluded not-included too-long too-deep page-limit trap file-type unreadable-type scheme',
  ),
  discovery: words('nofollow'),
  robots: words('robots robots-unreachable'),
  frontier: words('none host-held no-slot shutdown lease-lost inactive stopped run-limit'),
  fetch: words(
    'dns-temporary dns-not-found refused reset truncated protocol server-error timeout tls rate-limited forbidden ' +
      'not-found gone client-error redirect-loop too-many-redirects redirected-out blocked-address private-name blocked-port ' +
      'too-large bomb bad-encoding crashed',
  ),
  render: words('render-failed thin'),
  directives: words('noindex expired follow-only'),
  canonical: words('canonical canonical-broken canonical-shared canonical-elsewhere redirect'),
  duplicate: words('duplicate'),
  extract: words(
    'unsupported-type malformed encrypted over-limit unparsable soft-404 login-wall identical-pages ' +
      'needs-confirmation empty required-field',
  ),
  document: words('removal-suspected removal-held removed pushed-protected'),
};

const STEP_OF_REASON: ReadonlyMap<Reason, StepName> = new Map(
  Object.entries(REASONS_OF_STEP).flatMap(([step, reasons]) =>
    reasons.map((reason) => [reason, step as StepName] as const),
  ),
);

/** The step at which a URL with this reason ends; undefined for good news. */
export function stepOfReason(reason: Reason): StepName | undefined {
  return STEP_OF_REASON.get(reason);
}
