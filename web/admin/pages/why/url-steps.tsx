import { useMay } from '../../client/client-context.ts';
import type { UrlStep } from '../../generated-types.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { remedyOf } from './url-remedies.ts';

const LABELS: Readonly<Record<UrlStep['step'], string>> = {
  'normal-form': 'Normal form',
  scope: 'Rules of the crawler',
  discovery: 'Found',
  robots: 'robots.txt',
  frontier: 'Waits for its visit',
  fetch: 'Fetched',
  render: 'Scripts',
  directives: 'What the page says of itself',
  canonical: 'Canonical address',
  duplicate: 'Same content elsewhere',
  extract: 'Text and fields',
  document: 'Document',
  index: 'Index',
};

const RESULTS: Readonly<Record<UrlStep['result'], { readonly icon: IconName; readonly label: string }>> = {
  pass: { icon: 'check', label: 'passed' },
  stop: { icon: 'close', label: 'stops here' },
  note: { icon: 'alert', label: 'note' },
};

type Props = {
  readonly steps: readonly UrlStep[];
  readonly engineId: string;
  readonly crawler: number | null;
};

/** The way of a URL, with what each step knows; what is behind the step that stops it never happened. */
export function UrlSteps({ steps, engineId, crawler }: Props) {
  const mayCrawl = useMay('operator');
  return (
    <ol class="steps">
      {steps.map((step) => {
        const { icon, label } = RESULTS[step.result];
        const remedy = step.result === 'pass' ? undefined : remedyOf(step, engineId, crawler);
        return (
          <li key={step.step} class={`step ${step.result}`}>
            <span class="step-sign">
              <Icon name={icon} />
            </span>
            <div>
              <p>
                <strong>{LABELS[step.step]}</strong> <span class="unseen">{label}</span>
                {step.at !== null && (
                  <span class="quiet small">
                    <TimeText at={step.at} />
                  </span>
                )}
              </p>
              <Detail step={step} />
              {remedy !== undefined && (!remedy.isOperators || mayCrawl) && <a href={remedy.address}>{remedy.label}</a>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Detail({ step: { detail, reason } }: { readonly step: UrlStep }) {
  const known = Object.entries(detail).filter(([, value]) => value !== null && value !== false && value !== '');
  if (known.length === 0 && reason === null) return null;
  return (
    <p class="quiet small any">
      {reason !== null && (
        <>
          <code>{reason}</code>{' '}
        </>
      )}
      {known.map(([name, value], place) => (
        <span key={name}>
          {place > 0 && ' · '}
          {name} <bdi class="step-value">{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
        </span>
      ))}
    </p>
  );
}
