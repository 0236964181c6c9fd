import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useQueryState } from '../../client/query-state.ts';
import type { RemovedHit } from '../../client/tool-types.ts';
import type { ToolPage, ToolPreview } from '../../generated-types.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { BannerForm, NEW_BANNER } from '../tools/banner-form.tsx';
import { QuicklinkForm } from '../tools/quicklink-form.tsx';
import { SynonymForm } from '../tools/synonym-form.tsx';
import './query-tools.css';
import type { PreviewView, QueryTools } from './use-query-tools.ts';

type Props = {
  readonly view: PreviewView;
  readonly tools: QueryTools;
  readonly onAdd: () => void;
};

/** The tools that this query calls up, saved or not, and new ones for it. */
export function QueryToolCards({ view, tools, onAdd }: Props) {
  const { answer } = tools.preview;
  const canAdd = !view.isBare;
  return (
    <aside class="query-tools" aria-label="Tools of this query">
      {view.isBare && <p class="notice">The search without any tool. Switch them on again to change them.</p>}
      <Pins tools={tools} onAdd={onAdd} />
      <Banners view={view} tools={tools} answer={answer} canAdd={canAdd} />
      <Quicklinks view={view} tools={tools} answer={answer} canAdd={canAdd} />
      <Synonyms view={view} tools={tools} answer={answer} canAdd={canAdd} />
      <Hidden tools={tools} removed={answer?.removed ?? []} />
    </aside>
  );
}

type ToolCardProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly empty: string;
  readonly action?: { readonly label: string; readonly act: () => void } | undefined;
  readonly children: readonly ComponentChildren[];
};

function ToolCard({ icon, title, empty, action, children }: ToolCardProps) {
  return (
    <section class="tool-card" aria-label={title}>
      <div class="spread">
        <h2>
          <Icon name={icon} /> {title}
        </h2>
        {action !== undefined && (
          <button type="button" class="plain" aria-label={action.label} title={action.label} onClick={action.act}>
            <Icon name="plus" />
          </button>
        )}
      </div>
      {children.length === 0 ? <p class="quiet small">{empty}</p> : <ul>{children}</ul>}
    </section>
  );
}

type ToolRowProps = {
  readonly children: ComponentChildren;
  readonly isUnsaved?: boolean;
  readonly label?: string;
  readonly icon?: IconName;
  readonly onRemove?: (() => void) | undefined;
};

function ToolRow({ children, isUnsaved = false, label = 'Remove', icon = 'close', onRemove }: ToolRowProps) {
  return (
    <li class="tool-row">
      <span class="any">
        {children}
        {isUnsaved && <span class="unsaved">not saved</span>}
      </span>
      {onRemove !== undefined && (
        <button type="button" class="plain" aria-label={label} title={label} onClick={onRemove}>
          <Icon name={icon} />
        </button>
      )}
    </li>
  );
}

function nameOf({ title, url }: ToolPage): string {
  return title === '' ? url : title;
}

function Pins({ tools, onAdd }: Pick<Props, 'tools' | 'onAdd'>) {
  const { managedBy, canPin } = tools;
  const pinned = tools.pins.filter(({ place }) => place !== null);
  const others = (tools.preview.answer?.rankings ?? []).filter(({ id }) => id !== null && id !== tools.own?.id);
  return (
    <ToolCard
      icon="pin"
      title="Pinned"
      empty="Nothing: press the pin of a hit, or type another number over its place."
      action={canPin ? { label: 'Add a page', act: onAdd } : undefined}
    >
      {[
        ...pinned.map((pin) => (
          <ToolRow
            key={pin.documentId}
            label={`Release ${nameOf(pin)}`}
            onRemove={canPin ? () => tools.edit.release(pin) : undefined}
          >
            <strong>{pin.place}</strong> <bdi>{nameOf(pin)}</bdi>
          </ToolRow>
        )),
        ...others.map(({ id, name }) => (
          <ToolRow key={`ranking ${id}`}>
            <span class="quiet">Also the ranking </span>
            <bdi>{name}</bdi>
          </ToolRow>
        )),
        ...(managedBy === null
          ? []
          : [
              <ToolRow key="managed">
                <span class="quiet">
                  Pins of this query come of <code>{managedBy}</code> and are changed there
                </span>
              </ToolRow>,
            ]),
      ]}
    </ToolCard>
  );
}

type ListProps = Pick<Props, 'view' | 'tools'> & { readonly answer: ToolPreview | undefined; readonly canAdd: boolean };

function Banners({ view, tools, answer, canAdd }: ListProps) {
  const [isOpen, setOpen] = useState(false);
  const { draft, change } = tools.drafts;
  const remove = (id: number | null, name: string) =>
    change(
      id === null
        ? { banners: draft.banners.filter((banner) => banner.name !== name) }
        : { removed: { ...draft.removed, banners: [...draft.removed.banners, id] } },
    );
  return (
    <>
      <ToolCard
        icon="banner"
        title="Banners"
        empty="None for this query."
        action={canAdd ? { label: 'Add a banner', act: () => setOpen(true) } : undefined}
      >
        {(answer?.banners ?? []).map(({ id, name }) => (
          <ToolRow
            key={`${id} ${name}`}
            isUnsaved={id === null}
            label={`Remove banner ${name}`}
            onRemove={canAdd ? () => remove(id, name) : undefined}
          >
            <bdi>{name}</bdi>
          </ToolRow>
        ))}
      </ToolCard>
      {isOpen && (
        <BannerForm
          title="Banner for this query"
          banner={{ ...NEW_BANNER, name: view.query, queries: [view.query] }}
          action="Preview"
          onSave={async (banner) => change({ banners: [...draft.banners, banner] })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Quicklinks({ view, tools, answer, canAdd }: ListProps) {
  const [isOpen, setOpen] = useState(false);
  const { draft, change } = tools.drafts;
  const remove = (id: number | null, url: string) =>
    change(
      id === null
        ? { quicklinks: draft.quicklinks.filter((link) => link.url !== url) }
        : { removed: { ...draft.removed, quicklinks: [...draft.removed.quicklinks, id] } },
    );
  return (
    <>
      <ToolCard
        icon="link"
        title="Quicklinks"
        empty="None: a quicklink takes visitors straight to a page."
        action={canAdd ? { label: 'Add a quicklink', act: () => setOpen(true) } : undefined}
      >
        {(answer?.quicklinks ?? []).map(({ id, url }) => (
          <ToolRow
            key={`${id} ${url}`}
            isUnsaved={id === null}
            label={`Remove quicklink ${url}`}
            onRemove={canAdd ? () => remove(id, url) : undefined}
          >
            <SafeLink address={url}>{url}</SafeLink>
          </ToolRow>
        ))}
      </ToolCard>
      {isOpen && (
        <QuicklinkForm
          title="Quicklink for this query"
          quicklink={{ url: '', queries: [view.query] }}
          action="Preview"
          onSave={async (quicklink) => change({ quicklinks: [...draft.quicklinks, quicklink] })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Synonyms({ view, tools, answer, canAdd }: ListProps) {
  const state = useQueryState();
  const [isOpen, setOpen] = useState(state.query['add'] === 'synonym');
  const close = () => {
    setOpen(false);
    if (state.query['add'] !== undefined) state.replace({ add: undefined });
  };
  const { draft, change } = tools.drafts;
  return (
    <>
      <ToolCard
        icon="synonym"
        title="Synonyms"
        empty="None took part."
        action={canAdd ? { label: 'Add synonyms', act: () => setOpen(true) } : undefined}
      >
        {[
          ...(answer?.synonyms ?? []).map((word) => (
            <ToolRow key={word}>
              <bdi>{word}</bdi>
            </ToolRow>
          )),
          ...draft.synonyms.map((group) => (
            <ToolRow
              key={`new ${group.words.join()}`}
              isUnsaved
              label={`Remove synonyms ${group.words.join(', ')}`}
              onRemove={() => change({ synonyms: draft.synonyms.filter((other) => other !== group) })}
            >
              <bdi>{group.words.join(' = ')}</bdi>
            </ToolRow>
          )),
        ]}
      </ToolCard>
      {isOpen && (
        <SynonymForm
          title="Synonyms for this query"
          group={{ language: view.language ?? '', words: [view.query] }}
          action="Preview"
          onSave={async (group) => change({ synonyms: [...draft.synonyms, group] })}
          onClose={close}
        />
      )}
    </>
  );
}

function Hidden({ tools, removed }: Pick<Props, 'tools'> & { readonly removed: readonly RemovedHit[] }) {
  const isOfOthers = ({ hiddenBy: { tool, id } }: RemovedHit) =>
    tool === 'ranking' && id !== null && id !== tools.own?.id;
  const showAgain = (hit: RemovedHit) =>
    hit.hiddenBy.tool === 'hidden-page' ? tools.edit.showEverywhere(hit, hit.hiddenBy.id) : tools.edit.release(hit);
  return (
    <ToolCard icon="hide" title="Hidden" empty="Nothing is hidden for this query.">
      {removed.map((hit) => (
        <ToolRow
          key={hit.documentId}
          label={`Show ${nameOf(hit)} again`}
          icon="show"
          onRemove={tools.canPin && !isOfOthers(hit) ? () => showAgain(hit) : undefined}
        >
          <s>
            <bdi>{nameOf(hit)}</bdi>
          </s>{' '}
          <span class="quiet small">
            {hit.hiddenBy.tool === 'hidden-page' ? 'everywhere' : 'for this query'}
            {isOfOthers(hit) && ` by the ranking ${hit.hiddenBy.name}`}
            {hit.placeBefore !== null && `, was ${hit.placeBefore}`}
          </span>
        </ToolRow>
      ))}
    </ToolCard>
  );
}
