import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import type { AlertTarget } from '../../generated-types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { CheckField, LinesField, SelectField, TextField } from '../../parts/fields.tsx';

type Props = {
  /** undefined: a new one. */
  readonly target: AlertTarget | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
};

type Form = {
  readonly kind: AlertTarget['kind'];
  readonly name: string;
  readonly active: boolean;
  readonly to: readonly string[];
  /** What is stored is not shown: empty leaves it as it is. */
  readonly smtpUrl: string;
  readonly url: string;
  readonly secret: string;
  readonly leastSeverity: AlertTarget['leastSeverity'];
  readonly changes: boolean;
  readonly digestAt: string;
  readonly timeZone: string;
  readonly quietHours: string;
  readonly errorsBreakQuiet: boolean;
};

function formOf(target: AlertTarget | undefined): Form {
  return {
    kind: target?.kind ?? 'mail',
    name: target?.name ?? '',
    active: target?.active ?? true,
    to: target?.to ?? [],
    smtpUrl: '',
    url: '',
    secret: '',
    leastSeverity: target?.leastSeverity ?? 'warning',
    changes: target?.changes ?? true,
    digestAt: target?.digestAt ?? '',
    timeZone: target?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    quietHours: target?.quietHours ?? '',
    errorsBreakQuiet: target?.errorsBreakQuiet ?? true,
  };
}

/** As the API takes it: a change sends null for what was taken away, a new target leaves it out. */
function bodyOf(form: Form, isNew: boolean): Readonly<Record<string, unknown>> {
  const { kind, name, active, leastSeverity, changes, timeZone, errorsBreakQuiet } = form;
  const empty = isNew ? undefined : null;
  const secret = (text: string) => (text.trim() === '' ? undefined : text.trim());
  return {
    ...(isNew && { kind }),
    name: name.trim(),
    active,
    leastSeverity,
    changes,
    timeZone: timeZone.trim(),
    errorsBreakQuiet,
    digestAt: form.digestAt === '' ? empty : form.digestAt,
    quietHours: form.quietHours.trim() === '' ? empty : form.quietHours.trim(),
    ...(kind === 'mail'
      ? { to: form.to.map((line) => line.trim()).filter((line) => line !== ''), smtpUrl: secret(form.smtpUrl) }
      : { url: secret(form.url), secret: secret(form.secret) }),
  };
}

const SHOWN = ['name', 'to', 'smtpUrl', 'url', 'secret', 'digestAt', 'timeZone', 'quietHours'];

/** Adds a target, or changes one. */
export function AlertDialog({ target, onClose, onSaved }: Props) {
  const client = useAdmin();
  const change = useChange();
  const [form, setForm] = useState(() => formOf(target));
  const set = (values: Partial<Form>) => setForm((last) => ({ ...last, ...values }));
  const save = async () => {
    const body = bodyOf(form, target === undefined);
    if (target === undefined) {
      await client.post('/alert-targets', { body });
    } else {
      const path = `/alert-targets/${target.id}`;
      await client.patch(path, { body, ifMatch: (await client.get(path)).etag });
    }
    onSaved();
    onClose();
  };
  return (
    <Dialog title={target === undefined ? 'Add a target' : `Change “${target.name}”`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void change.run(save);
        }}
      >
        <ErrorNotice error={change.error} shownPaths={SHOWN} />
        {target === undefined && (
          <SelectField label="Kind" value={form.kind} options={KINDS} onChange={(kind) => set({ kind })} />
        )}
        <TextField
          label="Name"
          value={form.name}
          problem={change.problemOf('name')}
          onInput={(name) => set({ name })}
          isRequired
        />
        <Receiver form={form} target={target} problemOf={change.problemOf} set={set} />
        <Times form={form} problemOf={change.problemOf} set={set} />
        <CheckField label="Active" isChecked={form.active} onChange={(active) => set({ active })} />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={change.isRunning}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const KINDS = [
  { value: 'mail', label: 'Mail' },
  { value: 'webhook', label: 'Webhook' },
] as const;

const SEVERITIES = [
  { value: 'warning', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors only' },
] as const;

type PartProps = {
  readonly form: Form;
  readonly problemOf: (path: string) => string | undefined;
  readonly set: (values: Partial<Form>) => void;
};

const KEPT = 'Stored, and not shown: empty leaves it as it is.';

function Receiver({ form, target, problemOf, set }: PartProps & Pick<Props, 'target'>) {
  if (form.kind === 'mail') {
    return (
      <>
        <LinesField
          label="Addresses"
          hint="One a line."
          values={form.to}
          problem={problemOf('to')}
          onChange={(to) => set({ to })}
          isRequired
        />
        <TextField
          label="Mail server"
          hint={target?.smtpUrl ? KEPT : 'smtps://user:password@mail.example.org:465. Empty: that of the installation.'}
          value={form.smtpUrl}
          problem={problemOf('smtpUrl')}
          onInput={(smtpUrl) => set({ smtpUrl })}
        />
      </>
    );
  }
  return (
    <>
      <TextField
        label="Address"
        type="url"
        hint={target === undefined ? 'Gets a POST with JSON.' : KEPT}
        value={form.url}
        problem={problemOf('url')}
        onInput={(url) => set({ url })}
        isRequired={target === undefined}
      />
      <TextField
        label="Secret"
        hint={target?.secret ? KEPT : 'Messages are signed with it. Empty: they are not.'}
        value={form.secret}
        problem={problemOf('secret')}
        onInput={(secret) => set({ secret })}
      />
    </>
  );
}

function Times({ form, problemOf, set }: PartProps) {
  return (
    <>
      <SelectField
        label="Told"
        value={form.leastSeverity}
        options={SEVERITIES}
        onChange={(leastSeverity) => set({ leastSeverity })}
      />
      <CheckField label="At once" isChecked={form.changes} onChange={(changes) => set({ changes })} />
      <TextField
        label="Daily digest at"
        hint="As 07:30. Empty: none."
        value={form.digestAt}
        problem={problemOf('digestAt')}
        onInput={(digestAt) => set({ digestAt })}
      />
      <TextField
        label="Quiet hours"
        hint="As 22:00-07:00. What still holds is told when they end."
        value={form.quietHours}
        problem={problemOf('quietHours')}
        onInput={(quietHours) => set({ quietHours })}
      />
      <CheckField
        label="Errors are told in quiet hours, too"
        isChecked={form.errorsBreakQuiet}
        onChange={(errorsBreakQuiet) => set({ errorsBreakQuiet })}
      />
      <TextField
        label="Time zone"
        value={form.timeZone}
        problem={problemOf('timeZone')}
        onInput={(timeZone) => set({ timeZone })}
        isRequired
      />
    </>
  );
}
