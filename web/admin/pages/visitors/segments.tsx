import { useQueryState } from '../../client/query-state.ts';

type Props = {
  readonly label: string;
  /** The name of the choice in the address. */
  readonly name: string;
  /** The first is the one without a word in the address. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

/** One of a few, as links. */
export function Segments({ label, name, options }: Props) {
  const { query, addressOf } = useQueryState();
  const chosen = options.find(({ value }) => value === query[name]) ?? options[0];
  return (
    <nav class="segments" aria-label={label}>
      {options.map((option, place) => (
        <a
          key={option.value}
          href={addressOf({ [name]: place === 0 ? undefined : option.value, after: undefined })}
          aria-current={option === chosen ? 'true' : undefined}
        >
          {option.label}
        </a>
      ))}
    </nav>
  );
}
