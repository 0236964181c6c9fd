import { useState } from 'preact/hooks';
import { pinBody } from '../../client/tool-records.ts';
import type { RankingBody } from '../../client/tool-types.ts';
import { useChange } from '../../client/use-change.ts';
import type { EditedRanking, RankedPage, ToolPage } from '../../generated-types.ts';
import { CheckField, LinesField, TextField } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { PagePicker } from './page-picker.tsx';
import { ToolDialog, type ToolFormProps, trimmed } from './tool-dialog.tsx';

/** Its place is kept while it is hidden: who unticks it has it back. */
type Row = ToolPage & { readonly place: number; readonly hidden: boolean; readonly broken: boolean };

type Props = ToolFormProps & {
  readonly engineId: string;
  readonly ranking: Pick<EditedRanking, 'name' | 'queries' | 'audiences' | 'pins'>;
  readonly onSave: (ranking: RankingBody) => Promise<unknown>;
};

export function RankingForm({ engineId, ranking, onSave, ...dialog }: Props) {
  const [name, setName] = useState(ranking.name);
  const [queries, setQueries] = useState(ranking.queries);
  const [audiences, setAudiences] = useState(ranking.audiences.filter((one) => typeof one === 'string'));
  const [rows, setRows] = useState<readonly Row[]>(() => ranking.pins.map(rowOf));
  const change = useChange();
  const send = () =>
    onSave({
      name: name.trim() === '' ? (queries[0] ?? '') : name.trim(),
      queries: trimmed(queries),
      audiences: trimmed(audiences),
      pins: rows.map(({ documentId, place, hidden }) => pinBody({ documentId, place: hidden ? null : place })),
    });
  return (
    <ToolDialog {...dialog} change={change} shownPaths={['name', 'queries', 'audiences', 'pins']} onSubmit={send}>
      <LinesField
        label="Queries"
        hint="One a line; * stands for any letters, ? for one."
        values={queries}
        problem={change.problemOf('queries')}
        onChange={setQueries}
      />
      <TextField
        label="Name"
        hint="For editors; empty: the first query."
        value={name}
        problem={change.problemOf('name')}
        onInput={setName}
      />
      <PinRows engineId={engineId} rows={rows} problem={change.problemOf('pins')} onChange={setRows} />
      <LinesField
        label="Audiences"
        hint="Traits of visitors, one a line; none: everybody."
        values={audiences}
        problem={change.problemOf('audiences')}
        onChange={(traits) => setAudiences([...traits])}
      />
    </ToolDialog>
  );
}

function rowOf({ documentId, url, title, place, hidden, broken }: RankedPage): Row {
  return { documentId, url, title, place: place ?? 1, hidden, broken };
}

type PinRowsProps = {
  readonly engineId: string;
  readonly rows: readonly Row[];
  readonly problem: string | undefined;
  readonly onChange: (rows: readonly Row[]) => void;
};

function PinRows({ engineId, rows, problem, onChange }: PinRowsProps) {
  const [isAdding, setAdding] = useState(false);
  const set = (row: Row, changed: Partial<Row>) =>
    onChange(rows.map((other) => (other === row ? { ...row, ...changed } : other)));
  const add = ({ documentId, url, title }: ToolPage) => {
    const place = Math.max(0, ...rows.map((row) => row.place)) + 1;
    const others = rows.filter((row) => row.documentId !== documentId);
    onChange([...others, { documentId, url, title, place, hidden: false, broken: false }]);
    setAdding(false);
  };
  return (
    <fieldset class="field">
      <legend>Pages</legend>
      <ul class="pin-rows">
        {rows.map((row) => (
          <li key={row.documentId} class="pin-row">
            <input
              type="number"
              min={1}
              aria-label={`Place of ${row.title}`}
              value={row.place}
              disabled={row.hidden}
              onInput={(event) => set(row, { place: event.currentTarget.valueAsNumber })}
            />
            <span class="any">
              <bdi>{row.title === '' ? row.url : row.title}</bdi>{' '}
              {row.broken && <StatusPill tone="bad">Page gone</StatusPill>}
              <span class="small quiet any" dir="ltr">
                {row.url}
              </span>
            </span>
            <CheckField label="Hidden" isChecked={row.hidden} onChange={(hidden) => set(row, { hidden })} />
            <button
              type="button"
              class="plain"
              aria-label={`Take out ${row.title}`}
              onClick={() => onChange(rows.filter((other) => other !== row))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {problem !== undefined && <span class="fault">{problem}</span>}
      <div>
        <button type="button" onClick={() => setAdding(true)}>
          <Icon name="plus" /> Add a page
        </button>
      </div>
      {isAdding && <PagePicker engineId={engineId} title="Add a page" onPick={add} onClose={() => setAdding(false)} />}
    </fieldset>
  );
}
