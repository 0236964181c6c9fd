import { SafeLink } from '../../../parts/safe-link.tsx';
import { useMay } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { usePages } from '../../client/use-pages.ts';
import type { UrlGroups, UrlRecord } from '../../generated-types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { formatCount } from '../../parts/format.ts';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { QueueUrls } from './queue-urls.tsx';
import { ReasonText } from './reason-text.tsx';
import { useSite } from './site-context.ts';
import { URL_STATES } from './url-states.ts';

/** Every URL that the crawler knows, with its state and the reason for it. */
export function PagesTab() {
  const { crawler } = useSite();
  const { query, set } = useQueryState();
  const { state, reason, text } = query;
  const filter = { state, reason, text };
  const path = `/crawlers/${crawler.id}/urls`;
  const urls = usePages<UrlRecord>(path, { query: filter });
  const isOperator = useMay('operator');
  const choose = (values: typeof query) => set({ ...values, after: undefined });
  return (
    <>
      <div class="row">
        <FilterText label="Part of the URL" value={text ?? ''} onChange={(value) => choose({ text: value })} />
        <select
          class="narrow"
          aria-label="State"
          value={state ?? ''}
          onChange={(event) => choose({ state: event.currentTarget.value, reason: undefined })}
        >
          <option value="">All states</option>
          {Object.entries(URL_STATES).map(([word, { label }]) => (
            <option key={word} value={word}>
              {label}
            </option>
          ))}
        </select>
        <ReasonSelect path={path} state={state} value={reason} onChange={(word) => choose({ reason: word })} />
        <DownloadButton label="CSV" file={`crawler-${crawler.id}-urls.csv`} path={`${path}.csv${searchOf(filter)}`} />
        {isOperator && <QueueUrls />}
      </div>
      <DataTable
        {...urls}
        label="Pages"
        columns={columns(crawler.engine)}
        keyOf={({ url }) => url}
        empty={
          <EmptyState icon="search" title="No URL fits">
            Take a filter away. A URL that should be here: ask for it in the box above.
          </EmptyState>
        }
      />
    </>
  );
}

function searchOf(values: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

type ReasonSelectProps = {
  readonly path: string;
  readonly state: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (reason: string) => void;
};

/** The reasons that there are, with how many URLs have each. */
function ReasonSelect({ path, state, value, onChange }: ReasonSelectProps) {
  const { answer } = useAnswer<UrlGroups>(`${path}${searchOf({ group: 'reason', state })}`);
  const groups = answer?.groups ?? (value === undefined ? [] : [{ value, count: undefined }]);
  return (
    <select
      class="narrow"
      aria-label="Reason"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">All reasons</option>
      {groups.map(({ value: reason, count }) => (
        <option key={reason} value={reason ?? ''}>
          {reason}
          {count !== undefined && ` (${formatCount(count)})`}
        </option>
      ))}
    </select>
  );
}

function columns(engineId: number): readonly Column<UrlRecord>[] {
  return [
    {
      title: 'URL',
      show: ({ url }) => (
        <bdi class="any">
          <SafeLink address={url}>{url}</SafeLink>
        </bdi>
      ),
    },
    {
      title: 'State',
      show: ({ state }) => <StatusPill tone={URL_STATES[state].tone}>{URL_STATES[state].label}</StatusPill>,
    },
    { title: 'Reason', show: ({ reason }) => <ReasonText reason={reason} /> },
    { title: 'HTTP', isNumber: true, isSecondary: true, show: ({ status }) => status ?? '–' },
    { title: 'Visited', isSecondary: true, show: ({ visitedAt }) => <TimeText at={visitedAt} /> },
    {
      title: 'More',
      isActions: true,
      show: ({ url }) => (
        <a class="button plain" href={`/admin/engines/${engineId}/why?${new URLSearchParams({ q: url })}`}>
          Why?
        </a>
      ),
    },
  ];
}
