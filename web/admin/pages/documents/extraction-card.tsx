import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import type { ReadPage, UrlDryRun } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { formatPercent } from '../../parts/format.ts';
import { StatusPill } from '../../parts/status-pill.tsx';

type Extraction = UrlDryRun & { readonly note: string };

/** Reads the page again without storing anything: what was taken from where, and which blocks are its main text. */
export function ExtractionCard({ engineId, rid }: { readonly engineId: string; readonly rid: number }) {
  const client = useAdmin();
  const change = useChange();
  const [read, setRead] = useState<Extraction>();
  const readAgain = () =>
    change.run(async () => {
      const path = `/engines/${engineId}/documents/${rid}/extraction`;
      setRead((await client.post<Extraction>(path, { body: {} })).body);
    });
  return (
    <Card
      title="What is taken from the page, and why"
      actions={
        <button type="button" disabled={change.isRunning} onClick={() => void readAgain()}>
          {change.isRunning ? 'Reading…' : 'Read the page now'}
        </button>
      }
    >
      {read === undefined && (
        <p class="quiet">The page is fetched once and read as its crawler does. Nothing is stored.</p>
      )}
      <ErrorNotice error={change.error} />
      {read !== undefined && (
        <>
          <p class="quiet any">
            {read.note} {read.cause}
          </p>
          {read.http !== null && <Read page={read.http} />}
          {read.diff !== null && <Difference diff={read.diff} />}
        </>
      )}
    </Card>
  );
}

function Read({ page }: { readonly page: ReadPage }) {
  return (
    <>
      <h3>Fields</h3>
      <DataTable
        label="Fields and where they come from"
        rows={page.fields}
        keyOf={({ name }) => name}
        empty={<p class="quiet">The page gives no field.</p>}
        columns={[
          { title: 'Field', show: ({ name }) => <code>{name}</code> },
          { title: 'Taken from', show: ({ source }) => source ?? '–' },
          { title: 'Value', show: ({ values }) => <span class="field-cut">{values.join(' · ')}</span> },
        ]}
      />
      <details>
        <summary>{page.blocks.length} blocks of the page, and which of them are main text</summary>
        <DataTable
          label="Blocks of the page"
          rows={page.blocks}
          keyOf={(block) => page.blocks.indexOf(block)}
          empty={<p class="quiet">There are no blocks.</p>}
          columns={[
            {
              title: 'Main text',
              show: ({ chosen }) => (
                <StatusPill tone={chosen ? 'good' : 'idle'}>{chosen ? 'Taken' : 'Left out'}</StatusPill>
              ),
            },
            {
              title: 'Block',
              show: ({ text, kind }) => (
                <>
                  <span class="field-cut" dir="auto">
                    {text}
                  </span>
                  <div class="small quiet">{kind}</div>
                </>
              ),
            },
            { title: 'Why', show: ({ why }) => why },
            {
              title: 'Probability',
              isNumber: true,
              isSecondary: true,
              show: ({ probability }) => (probability === null ? '–' : formatPercent(probability)),
            },
          ]}
        />
      </details>
    </>
  );
}

function Difference({ diff }: { readonly diff: NonNullable<UrlDryRun['diff']> }) {
  if (diff.length === 0) return <p class="quiet">It is what is stored.</p>;
  return (
    <>
      <h3>Against what is stored</h3>
      {diff.map(({ field, change, lines }) => (
        <div key={field}>
          <p>
            <code>{field}</code> {change}
          </p>
          <pre class="diff">{lines.join('\n')}</pre>
        </div>
      ))}
    </>
  );
}
