import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Common = {
  readonly label: string;
  /** What it is for; the documentation of the member. */
  readonly hint?: ComponentChildren;
  /** What the API says about it. */
  readonly problem?: string | undefined;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
};

type Control = {
  readonly id: string;
  readonly required: boolean;
  readonly disabled: boolean;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-describedby': string | undefined;
};

/** A label, what it is for, a control and what is wrong with it. */
export function Field({
  label,
  hint,
  problem,
  isRequired = false,
  isDisabled = false,
  children,
}: Common & { readonly children: (control: Control) => ComponentChildren }) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-fault`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {children({
        id,
        required: isRequired,
        disabled: isDisabled,
        'aria-invalid': problem === undefined ? undefined : 'true',
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {problem !== undefined && (
        <span class="fault" id={`${id}-fault`}>
          {problem}
        </span>
      )}
    </div>
  );
}

type Text = Common & { readonly value: string; readonly onInput: (value: string) => void };

type TextFieldProps = Text & {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'search' | 'date' | 'datetime-local';
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** Where a page or dialog asks for one thing. */
  readonly isFocused?: boolean;
};

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

export function TextField({
  value,
  onInput,
  type = 'text',
  autoComplete,
  placeholder,
  isFocused,
  ...field
}: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          // The types of Preact want one word here: each has members of its own, of which none is used.
          type={type as 'text'}
          dir="auto"
          value={value}
          autoComplete={autoComplete ?? 'off'}
          placeholder={placeholder}
          ref={isFocused ? takeFocus : null}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function TextAreaField({
  value,
  onInput,
  rows = 4,
  isCode = false,
  ...field
}: Text & { readonly rows?: number; readonly isCode?: boolean }) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          class={isCode ? 'mono' : undefined}
          dir={isCode ? 'ltr' : 'auto'}
          rows={rows}
          value={value}
          spellcheck={!isCode}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

type SelectFieldProps<Value extends string> = Common & {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
};

export function SelectField<Value extends string>({ value, options, onChange, ...field }: SelectFieldProps<Value>) {
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckFieldProps = Omit<Common, 'isRequired'> & {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

export function CheckField({ label, hint, problem, isDisabled = false, isChecked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="check">
        <input
          id={id}
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <label for={id}>{label}</label>
      </div>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem !== undefined && <span class="fault">{problem}</span>}
    </div>
  );
}

/** Lines of text as a list: one value a line, in their order. */
export function LinesField({
  values,
  onChange,
  ...field
}: Common & { readonly values: readonly string[]; readonly onChange: (values: readonly string[]) => void }) {
  return (
    <TextAreaField
      {...field}
      isCode
      rows={Math.min(12, Math.max(2, values.length + 1))}
      value={values.join('\n')}
      onInput={(text) => onChange(text === '' ? [] : text.split('\n'))}
    />
  );
}
