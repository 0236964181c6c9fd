import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FossickError } from '../../../../packages/client/src/fossick-error.ts';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import { problemOf } from '../../client/use-change.ts';
import type { SettingsSchema } from '../../generated-types.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { FilterText } from '../../parts/filter-text.tsx';
import { formatCounted } from '../../parts/format.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { ChangedElsewhere } from './changed-elsewhere.tsx';
import { hasEffects, ReviewDialog } from './review-dialog.tsx';
import { fieldsOf, type SettingField } from './setting-fields.ts';
import { SettingInput } from './setting-input.tsx';
import { type ChangedValue, type Draft, differences, patchOf, type Typed, valueAt } from './setting-values.ts';
import './settings.css';

export type SettingsRecord = Readonly<Record<string, unknown>> & { readonly managedBy: string | null };

type Props = {
  /** `/schemas/crawler` */
  readonly schemaPath: string;
  /** `/crawlers/4`, which is read and changed. */
  readonly recordPath: string;
  /** Changes are looked at before they are saved: those that remove documents. */
  readonly hasPreview: boolean;
  readonly isDisabled: boolean;
  /** Members beside those of the schema, first. */
  readonly ownFields?: readonly SettingField[];
  /** What belongs to a group besides its fields: the name of the group, the record with what was typed. */
  readonly extra?: (group: string, patch: Readonly<Record<string, unknown>>) => ComponentChildren;
  readonly onSaved: () => void;
};

type Group = { readonly name: string; readonly title: string; readonly fields: readonly SettingField[] };

/** Settings as their schema says, group by group. Only what was changed is sent. */
export function SettingsEditor(props: Props) {
  const { schemaPath, recordPath, ownFields = NO_FIELDS } = props;
  const schema = useAnswer<SettingsSchema>(schemaPath);
  const record = useAnswer<SettingsRecord>(recordPath);
  const groups = useMemo(() => schema.answer && groupsOf(schema.answer, ownFields), [schema.answer, ownFields]);
  const error = schema.error ?? record.error;
  if (groups === undefined || record.answer === undefined) {
    if (error === undefined) return <Skeleton lines={8} />;
    return (
      <ErrorNotice
        error={error}
        onRetry={() => {
          schema.reload();
          record.reload();
        }}
      />
    );
  }
  return <Editor {...props} groups={groups} record={record.answer} etag={record.etag} reload={record.reload} />;
}

const NO_FIELDS: readonly SettingField[] = [];

function groupsOf({ schema, groups }: SettingsSchema, ownFields: readonly SettingField[]): readonly Group[] {
  return groups.map(({ name, title, members }, place) => ({
    name,
    title,
    fields: [...(place === 0 ? ownFields : []), ...fieldsOf(schema, members)],
  }));
}

type EditorProps = Props & {
  readonly groups: readonly Group[];
  readonly record: SettingsRecord;
  readonly etag: string | undefined;
  readonly reload: () => void;
};

function Editor(props: EditorProps) {
  const { groups, record, etag, reload, recordPath, hasPreview, onSaved } = props;
  const { query } = useQueryState();
  const toast = useToast();
  const [draft, setDraft] = useState<Draft>(new Map());
  const [isReviewed, setReviewed] = useState(false);
  const [refused, setRefused] = useState<FossickError>();
  const [others, setOthers] = useState<readonly ChangedValue[]>([]);
  useWarning(draft.size > 0);
  const paths = useMemo(() => groups.flatMap(({ fields }) => fields.map(({ path }) => path)), [groups]);
  const patch = patchOf(draft);
  const type = (path: string, typed: Typed | undefined) => setDraft((last) => withTyped(last, path, typed));
  const shown = shownGroups(groups, query['find'], query['group']);
  return (
    <>
      {props.isDisabled && record.managedBy !== null && (
        <div class="notice">
          <p>
            The file <code>{record.managedBy}</code> says what is set here: change it there, and apply it with{' '}
            <code>fossick apply</code>, or take it over from the file with <code>fossick release</code>.
          </p>
        </div>
      )}
      <ErrorNotice error={refused} shownPaths={paths} />
      <ChangedElsewhere others={others} draft={draft} onTake={(path) => type(path, undefined)} />
      <div class="settings">
        <GroupList groups={groups} draft={draft} />
        <div class="stack">
          {shown.length === 0 && <EmptyState icon="search" title="No setting fits" />}
          {shown.map((group) => (
            <GroupCard
              key={group.name}
              {...props}
              group={group}
              draft={draft}
              patch={patch ?? {}}
              refused={refused}
              onType={type}
            />
          ))}
        </div>
      </div>
      {draft.size > 0 && (
        <SaveBar
          count={draft.size}
          isReadable={patch !== undefined}
          onDiscard={() => setDraft(new Map())}
          onReview={() => setReviewed(true)}
        />
      )}
      {isReviewed && patch !== undefined && (
        <ReviewDialog
          recordPath={recordPath}
          hasPreview={hasPreview}
          etag={etag}
          patch={patch}
          changes={[...draft].map(([path, typed]) => ({ path, before: valueAt(record, path), after: typed.value }))}
          onClose={() => setReviewed(false)}
          onRefused={setRefused}
          onSaved={(preview) => {
            const isDue = preview !== undefined && hasEffects(preview);
            toast({ text: isDue ? 'The settings are saved. The next run applies them' : 'The settings are saved' });
            setDraft(new Map());
            setOthers([]);
            setRefused(undefined);
            reload();
            onSaved();
          }}
          onChangedElsewhere={(newer) => {
            setOthers(differences(record, newer, paths));
            reload();
          }}
        />
      )}
    </>
  );
}

function withTyped(draft: Draft, path: string, typed: Typed | undefined): Draft {
  const next = new Map(draft);
  if (typed === undefined) next.delete(path);
  else next.set(path, typed);
  return next;
}

/** What was typed and not saved is not lost by a slip of the hand. */
function useWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}

/** Those of one group, or of all that have what is looked for. */
function shownGroups(groups: readonly Group[], find = '', name: string | undefined): readonly Group[] {
  const wanted = find.trim().toLowerCase();
  if (wanted === '') return groups.filter((group, place) => group.name === name || (name === undefined && place === 0));
  return groups
    .map((group) => ({ ...group, fields: group.fields.filter((field) => hasText(field, wanted)) }))
    .filter(({ fields }) => fields.length > 0);
}

function hasText({ path, label, heading, description }: SettingField, wanted: string): boolean {
  return `${path} ${heading} ${label} ${description}`.toLowerCase().includes(wanted);
}

function GroupList({ groups, draft }: { readonly groups: readonly Group[]; readonly draft: Draft }) {
  const { query, addressOf, replace } = useQueryState();
  const isFinding = query['find'] !== undefined;
  return (
    <nav class="setting-groups" aria-label="Groups of settings">
      <FilterText label="Find a setting" value={query['find'] ?? ''} onChange={(find) => replace({ find })} />
      <ul>
        {groups.map(({ name, title, fields }, place) => {
          const changed = fields.filter(({ path }) => draft.has(path)).length;
          const isCurrent = !isFinding && (query['group'] === name || (query['group'] === undefined && place === 0));
          return (
            <li key={name}>
              <a href={addressOf({ group: name, find: undefined })} aria-current={isCurrent ? 'page' : undefined}>
                {title}
                {changed > 0 && <span class="count">{changed}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

type GroupCardProps = EditorProps & {
  readonly group: Group;
  readonly draft: Draft;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly refused: FossickError | undefined;
  readonly onType: (path: string, typed: Typed | undefined) => void;
};

function GroupCard({ group, record, draft, patch, refused, isDisabled, extra, onType }: GroupCardProps) {
  return (
    <section class="card" aria-label={group.title}>
      <div class="card-head">
        <h2>{group.title}</h2>
      </div>
      {group.fields.map((field, place) => (
        <div class="stack" key={field.path}>
          {field.heading !== '' && field.heading !== group.fields[place - 1]?.heading && <h3>{field.heading}</h3>}
          <SettingInput
            field={field}
            stored={valueAt(record, field.path)}
            typed={draft.get(field.path)}
            problem={problemOf(refused, field.path)}
            isDisabled={isDisabled}
            onType={(typed) => onType(field.path, typed)}
          />
        </div>
      ))}
      {extra?.(group.name, patch)}
    </section>
  );
}

type SaveBarProps = {
  readonly count: number;
  readonly isReadable: boolean;
  readonly onDiscard: () => void;
  readonly onReview: () => void;
};

function SaveBar({ count, isReadable, onDiscard, onReview }: SaveBarProps) {
  return (
    <div class="save-bar" role="status">
      <span>{formatCounted(count, 'unsaved change')}</span>
      <div class="row">
        <button type="button" onClick={onDiscard}>
          Discard
        </button>
        <button type="button" class="main" disabled={!isReadable} onClick={onReview}>
          Look and save
        </button>
      </div>
    </div>
  );
}
