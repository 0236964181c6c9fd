import { SafeLink } from '../../../parts/safe-link.tsx';
import { useMay } from '../../client/client-context.ts';
import { usePages } from '../../client/use-pages.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { formatCount } from '../../parts/format.ts';
import { daysQuery, useVisitorRange } from './visitor-range.ts';
import type { ViewProps } from './visitors-page.tsx';

type ClickSum = {
  readonly url: string;
  readonly title: string;
  /** Id of the banner that the link stands in. */
  readonly banner: string | null;
  readonly clicks: number;
  readonly searches: number;
};

const COUNTS: readonly Column<ClickSum>[] = [
  { title: 'Clicks', isNumber: true, show: ({ clicks }) => formatCount(clicks) },
  { title: 'Searches', isNumber: true, isSecondary: true, show: ({ searches }) => formatCount(searches) },
];

/** Clicks on what editors have put up. */
export function BannerClicksView({ engineId }: ViewProps) {
  const mayEdit = useMay('editor');
  return (
    <div class="cards">
      <ClickCard
        engineId={engineId}
        kind="banners"
        title="Banners"
        columns={[
          {
            title: 'Link',
            show: ({ title, url, banner }) => (
              <>
                <SafeLink address={url}>{title === '' ? url : title}</SafeLink>
                {banner !== null && mayEdit && (
                  <div class="small">
                    <a
                      href={`/admin/engines/${engineId}/tools?${new URLSearchParams({ kind: 'banners', edit: banner })}`}
                    >
                      Banner {banner}
                    </a>
                  </div>
                )}
              </>
            ),
          },
          ...COUNTS,
        ]}
      />
      <ClickCard
        engineId={engineId}
        kind="quicklinks"
        title="Quicklinks"
        columns={[
          {
            title: 'Link',
            show: ({ title, url }) => <SafeLink address={url}>{title === '' ? url : title}</SafeLink>,
          },
          ...COUNTS,
        ]}
      />
    </div>
  );
}

type ClickCardProps = ViewProps & {
  readonly kind: 'banners' | 'quicklinks';
  readonly title: string;
  readonly columns: readonly Column<ClickSum>[];
};

function ClickCard({ engineId, kind, title, columns }: ClickCardProps) {
  const range = daysQuery(useVisitorRange());
  const path = `/engines/${engineId}/statistics/${kind}`;
  const pages = usePages<ClickSum>(path, { query: range, name: kind });
  return (
    <Card
      title={title}
      actions={
        <DownloadButton
          path={`${path}?${new URLSearchParams({ ...range, format: 'csv' })}`}
          file={`${kind}-clicks.csv`}
          label="CSV"
        />
      }
    >
      <DataTable
        {...pages}
        label={`Clicks on ${kind}`}
        keyOf={({ url, banner }) => `${banner} ${url}`}
        empty={<p class="quiet">Nobody clicked one in these days.</p>}
        columns={columns}
      />
    </Card>
  );
}
