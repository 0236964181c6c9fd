import { Described } from '../../parts/described.tsx';
import { CheckField, SelectField, TextAreaField, TextField } from '../../parts/fields.tsx';
import { formatCount } from '../../parts/format.ts';
import type { SettingField } from './setting-fields.ts';
import { isSame, readText, shownValue, type Typed, textOf } from './setting-values.ts';

type Props = {
  readonly field: SettingField;
  /** As it is stored. */
  readonly stored: unknown;
  /** As it was typed; undefined: as it is stored. */
  readonly typed: Typed | undefined;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  /** undefined: as it is stored. */
  readonly onType: (typed: Typed | undefined) => void;
};

/** One setting with its documentation. */
export function SettingInput({ field, stored, typed, problem, isDisabled, onType }: Props) {
  const { label, kind, standard } = field;
  const text = typed?.text ?? textOf(stored ?? standard, kind);
  const common = {
    label,
    hint: <Hint field={field} />,
    problem: problem ?? (typed !== undefined && !('value' in typed) ? UNREADABLE : undefined),
    isDisabled,
  };
  const onInput = (entered: string) => {
    const next = readText(entered, field);
    const isStored = 'value' in next && isSame(next.value ?? standard, stored ?? standard);
    onType(isStored && entered.trim() === textOf(stored ?? standard, kind) ? undefined : next);
  };
  return (
    <div class={`setting ${kind.kind} ${typed === undefined ? '' : 'changed'}`}>
      {kind.kind === 'switch' && (
        <CheckField {...common} isChecked={text === 'true'} onChange={(isChecked) => onInput(String(isChecked))} />
      )}
      {kind.kind === 'choice' && (
        <SelectField
          {...common}
          value={text}
          options={kind.words.map((word) => ({ value: word, label: word }))}
          onChange={onInput}
        />
      )}
      {(kind.kind === 'number' || kind.kind === 'text') && <TextField {...common} value={text} onInput={onInput} />}
      {(kind.kind === 'lines' || kind.kind === 'json') && (
        <TextAreaField {...common} isCode rows={rowsOf(text)} value={text} onInput={onInput} />
      )}
      {typed !== undefined && (
        <p class="row small">
          <button type="button" class="link" onClick={() => onType(undefined)}>
            Take back
          </button>
          <span class="quiet any">Stored: {shownValue(stored)}</span>
        </p>
      )}
    </div>
  );
}

const UNREADABLE = 'This cannot be read: a number, or JSON, is wanted here.';
const MAX_ROWS = 14;

function rowsOf(text: string): number {
  return Math.min(MAX_ROWS, Math.max(2, text.split('\n').length));
}

/** What it does, its limits, its default and an example. */
function Hint({ field }: { readonly field: SettingField }) {
  const { path, description, kind, standard, example } = field;
  const limits = kind.kind === 'number' ? limitsOf(kind.least, kind.most) : undefined;
  return (
    <>
      <Described text={description} /> {kind.kind === 'lines' && 'One a line. '}
      {kind.kind === 'json' && 'As JSON. '}
      {limits} <code>{path}</code>
      {standard !== undefined && kind.kind !== 'switch' && <> · default {shortly(standard)}</>}
      {example !== undefined && <> · for example {shortly(example)}</>}
    </>
  );
}

function limitsOf(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${formatCount(least)} to ${formatCount(most)}. `;
  return least === undefined ? '' : `At least ${formatCount(least)}. `;
}

const MAX_SHOWN = 80;

function shortly(value: unknown) {
  const isList = Array.isArray(value) && value.every((part) => typeof part === 'string');
  if (isList && value.length === 0) return 'none';
  const text = isList ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
  return <code>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}</code>;
}
