import { useState } from 'preact/hooks';
import type { QuicklinkBody } from '../../client/tool-types.ts';
import { useChange } from '../../client/use-change.ts';
import { LinesField, TextField } from '../../parts/fields.tsx';
import { ToolDialog, type ToolFormProps, trimmed } from './tool-dialog.tsx';

type Props = ToolFormProps & {
  readonly quicklink: QuicklinkBody;
  readonly onSave: (quicklink: QuicklinkBody) => Promise<unknown>;
};

export function QuicklinkForm({ quicklink, onSave, ...dialog }: Props) {
  const [url, setUrl] = useState(quicklink.url);
  const [queries, setQueries] = useState(quicklink.queries);
  const change = useChange();
  return (
    <ToolDialog
      {...dialog}
      change={change}
      shownPaths={['url', 'queries']}
      onSubmit={() => onSave({ url: url.trim(), queries: trimmed(queries) })}
    >
      <TextField
        label="Address"
        hint="A whole address, or a path of the site such as /contact."
        value={url}
        isRequired
        isFocused
        problem={change.problemOf('url')}
        onInput={setUrl}
      />
      <LinesField
        label="Queries"
        hint="One a line: who searches it is offered the address first."
        values={queries}
        problem={change.problemOf('queries')}
        onChange={setQueries}
      />
    </ToolDialog>
  );
}
