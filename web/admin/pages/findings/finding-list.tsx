import { useAdmin, useMay } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import type { HomeFinding } from '../../generated-types.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { remedyOf } from './remedies.ts';
import './findings.css';

type Props = {
  readonly findings: readonly HomeFinding[];
  /** Something was done about one of them. */
  readonly onDone: () => void;
};

/** What is wrong, the worst first, each with what mends it. */
export function FindingList({ findings, onDone }: Props) {
  const sorted = [...findings].sort((a, b) => rank(a) - rank(b));
  return (
    <ul class="findings">
      {sorted.map((finding) => (
        <FindingItem key={`${finding.name} ${finding.subject} ${finding.url}`} finding={finding} onDone={onDone} />
      ))}
    </ul>
  );
}

function rank({ severity }: HomeFinding): number {
  return severity === 'error' ? 0 : 1;
}

function FindingItem({ finding, onDone }: { readonly finding: HomeFinding; readonly onDone: () => void }) {
  const client = useAdmin();
  const isOperator = useMay('operator');
  const change = useChange();
  const toast = useToast();
  const { severity, subject, sentence, command } = finding;
  const { link, deed } = remedyOf(finding);
  const mend = async () => {
    if (deed === undefined || !(await change.run(() => deed.run(client)))) return;
    toast({ text: deed.done });
    onDone();
  };
  return (
    <li class={`finding ${severity === 'error' ? 'bad' : 'warn'}`}>
      <Icon name="alert" />
      <div class="finding-text">
        <p>
          <span class="unseen">{severity === 'error' ? 'Error: ' : 'Warning: '}</span>
          <bdi class="any">{sentence}</bdi>
        </p>
        <p class="small quiet any">
          <bdi>{subject}</bdi> · <code>{command}</code>
        </p>
        <ErrorNotice error={change.error} />
      </div>
      <div class="row">
        {link !== undefined && (
          <a class="button" href={link.href}>
            {link.label}
          </a>
        )}
        {deed !== undefined && isOperator && (
          <button type="button" class="main" disabled={change.isRunning} onClick={() => void mend()}>
            {deed.label}
          </button>
        )}
      </div>
    </li>
  );
}
