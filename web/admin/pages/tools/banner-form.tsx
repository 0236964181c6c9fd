import { useState } from 'preact/hooks';
import type { BannerBody } from '../../client/tool-types.ts';
import { useChange } from '../../client/use-change.ts';
import { CheckField, LinesField, TextAreaField, TextField } from '../../parts/fields.tsx';
import { BannerFrame } from './banner-frame.tsx';
import { localTime } from './local-time.ts';
import { ToolDialog, type ToolFormProps, trimmed } from './tool-dialog.tsx';

type Props = ToolFormProps & {
  readonly banner: BannerBody;
  readonly onSave: (banner: BannerBody) => Promise<unknown>;
};

export const NEW_BANNER: BannerBody = {
  name: '',
  html: '',
  queries: [],
  disabled: false,
  from: null,
  to: null,
  audiences: [],
};

const SHOWN_PATHS = ['name', 'html', 'queries', 'from', 'to', 'audiences'];

export function BannerForm({ banner, onSave, ...dialog }: Props) {
  const [value, setValue] = useState(banner);
  const change = useChange();
  const set = (changed: Partial<BannerBody>) => setValue({ ...value, ...changed });
  const audiences = value.audiences.filter((one) => typeof one === 'string');
  const send = () =>
    onSave({
      ...value,
      queries: trimmed(value.queries),
      audiences: trimmed(audiences),
    });
  return (
    <ToolDialog {...dialog} change={change} shownPaths={SHOWN_PATHS} onSubmit={send}>
      <TextField
        label="Name"
        hint="For editors: visitors do not see it."
        value={value.name}
        isRequired
        problem={change.problemOf('name')}
        onInput={(name) => set({ name })}
      />
      <TextAreaField
        label="Text"
        hint="HTML: headings, paragraphs, links, pictures, lists. Scripts are taken out."
        value={value.html}
        isRequired
        isCode
        problem={change.problemOf('html')}
        onInput={(html) => set({ html })}
      />
      {value.html.trim() !== '' && <BannerFrame name={value.name} html={value.html} />}
      <LinesField
        label="Queries"
        hint="One a line; * stands for any letters, ? for one."
        values={value.queries}
        problem={change.problemOf('queries')}
        onChange={(queries) => set({ queries })}
      />
      <div class="cards">
        <TextField
          label="From"
          type="datetime-local"
          value={localTime(value.from)}
          problem={change.problemOf('from')}
          onInput={(text) => set({ from: isoTime(text) })}
        />
        <TextField
          label="To"
          type="datetime-local"
          value={localTime(value.to)}
          problem={change.problemOf('to')}
          onInput={(text) => set({ to: isoTime(text) })}
        />
      </div>
      <LinesField
        label="Audiences"
        hint="Traits of visitors, one a line; none: everybody."
        values={audiences}
        problem={change.problemOf('audiences')}
        onChange={(traits) => set({ audiences: traits })}
      />
      <CheckField label="Switched off" isChecked={value.disabled} onChange={(disabled) => set({ disabled })} />
    </ToolDialog>
  );
}

function isoTime(text: string): string | null {
  return text === '' ? null : new Date(text).toISOString();
}
