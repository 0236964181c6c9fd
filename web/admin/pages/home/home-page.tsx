import { useAnswer } from '../../client/use-answer.ts';
import type { Status } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';

const EVERY_MS = 15_000;

/** Is all well, and what mends it? */
export function HomePage() {
  const { answer, error, reload } = useAnswer<Status>('/status', { everyMs: EVERY_MS });
  return (
    <>
      <PageHead title="Home" about="What is wrong, and what happens." />
      <ErrorNotice error={error} onRetry={reload} />
      <Card title="Wants a look">{answer === undefined ? <Skeleton /> : <Findings findings={answer.findings} />}</Card>
    </>
  );
}

function Findings({ findings }: Pick<Status, 'findings'>) {
  if (findings.length === 0) return <EmptyState icon="check" title="All is well" />;
  return (
    <ul class="stack">
      {findings.map(({ name, severity, subject, sentence, command }) => (
        <li key={`${name} ${subject}`} class="row">
          <StatusPill tone={severity === 'error' ? 'bad' : 'warn'}>{subject}</StatusPill>
          <span class="any">{sentence}</span>
          <code>{command}</code>
        </li>
      ))}
    </ul>
  );
}
