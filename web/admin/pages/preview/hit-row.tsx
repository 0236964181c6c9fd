import { useState } from 'preact/hooks';
import { HighlightedText } from '../../../parts/highlighted-text.tsx';
import { SafeLink } from '../../../parts/safe-link.tsx';
import type { PreviewHit } from '../../client/tool-types.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import type { Editing } from './use-query-tools.ts';

type Props = {
  readonly hit: PreviewHit;
  /** Pinned by the query's own ranking, saved or not. */
  readonly isOwnPin: boolean;
  /** Undefined: nothing can be changed here. */
  readonly edit: Editing | undefined;
  readonly whyAddress: string;
};

/** A hit as visitors see it, what tools made of it, and what can be made of it. */
export function HitRow({ hit, isOwnPin, edit, whyAddress }: Props) {
  return (
    <li class={hit.pinnedBy === null ? 'hit' : 'hit pinned'} data-document={hit.documentId}>
      <Place hit={hit} onPlace={edit && ((place) => edit.pin(hit, place))} />
      <div class="hit-text">
        <p class="hit-title" dir="auto">
          <SafeLink address={hit.url}>{hit.title === '' ? hit.url : hit.title}</SafeLink>
        </p>
        <p class="hit-address cut" dir="ltr">
          {hit.url}
        </p>
        {hit.snippet !== '' && (
          <p class="hit-snippet" dir="auto">
            <HighlightedText fragment={hit.snippet} />
          </p>
        )}
        <Marks hit={hit} />
      </div>
      <div class="hit-actions">
        {edit !== undefined && <HitButtons hit={hit} isOwnPin={isOwnPin} edit={edit} />}
        <a class="button plain" href={whyAddress} title="Why is it here? (w)" aria-label={`Why is ${hit.title} here?`}>
          <Icon name="why" />
        </a>
      </div>
    </li>
  );
}

/** The place is a box: another number moves the page there. */
function Place({
  hit,
  onPlace,
}: {
  readonly hit: PreviewHit;
  readonly onPlace: ((place: number) => void) | undefined;
}) {
  const [typed, setTyped] = useState<string>();
  if (onPlace === undefined) return <span class="hit-place">{hit.place}</span>;
  const leave = () => {
    const place = Number(typed);
    setTyped(undefined);
    if (Number.isSafeInteger(place) && place > 0 && place !== hit.place) onPlace(place);
  };
  return (
    <input
      class="hit-place"
      type="text"
      inputMode="numeric"
      aria-label={`Place of ${hit.title}`}
      title="Type a number to pin it there"
      value={typed ?? hit.place}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setTyped(event.currentTarget.value.replaceAll(/\D/g, ''))}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setTyped(undefined);
        if (event.key === 'Enter') leave();
      }}
    />
  );
}

/** What tools made of the place. */
function Marks({ hit }: { readonly hit: PreviewHit }) {
  const { pinnedBy, placeBefore, place } = hit;
  return (
    <p class="hit-marks">
      {pinnedBy !== null && (
        <span class="mark-pinned">
          <Icon name="pin" /> {pinnedBy.id === null ? 'Pinned, not saved' : 'Pinned by '}
          {pinnedBy.id !== null && <bdi>{pinnedBy.name}</bdi>}
        </span>
      )}
      {pinnedBy !== null && placeBefore === null && <span>the words of the query do not find it</span>}
      {placeBefore !== null && placeBefore !== place && <Moved from={placeBefore} to={place} />}
    </p>
  );
}

function Moved({ from, to }: { readonly from: number; readonly to: number }) {
  return (
    <span class={to < from ? 'mark-up' : 'mark-down'}>
      <Icon name={to < from ? 'up' : 'down'} /> moved from {from}
    </span>
  );
}

type ButtonRow = {
  readonly icon: IconName;
  readonly label: string;
  readonly key?: string;
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly act: () => void;
};

function HitButtons({ hit, isOwnPin, edit }: Pick<Props, 'hit' | 'isOwnPin'> & { readonly edit: Editing }) {
  const buttons: readonly ButtonRow[] = [
    {
      icon: 'pin',
      label: isOwnPin ? 'Release' : 'Pin here',
      key: 'p',
      isOn: isOwnPin,
      act: () => (isOwnPin ? edit.release(hit) : edit.pin(hit, hit.place)),
    },
    { icon: 'up', label: 'Up', key: 'u', isDisabled: hit.place === 1, act: () => edit.move(hit, -1) },
    { icon: 'down', label: 'Down', key: 'd', act: () => edit.move(hit, 1) },
    { icon: 'hide', label: 'Hide for this query', key: 'h', act: () => edit.hide(hit) },
    { icon: 'ban', label: 'Hide everywhere', act: () => edit.hideEverywhere(hit) },
  ];
  return buttons.map(({ icon, label, key, isOn, isDisabled = false, act }) => (
    <button
      key={icon}
      type="button"
      class="plain"
      aria-label={`${label}: ${hit.title}`}
      aria-pressed={isOn}
      title={key === undefined ? label : `${label} (${key})`}
      disabled={isDisabled}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  ));
}
