import { InPageLink } from '../parts/in-page-link.tsx';
import { askAnew, printState, type SearchState } from './search-state.ts';

type Props = {
  readonly queries: readonly string[];
  /** Id of the element that says what they are. */
  readonly labelledBy: string;
  readonly state: SearchState;
  readonly onPick: (state: SearchState) => void;
};

/** Other queries, each a link that searches. */
export function QueryLinks({ queries, labelledBy, state, onPick }: Props) {
  return (
    <ul class="chips" aria-labelledby={labelledBy}>
      {queries.map((query) => {
        const asked = askAnew(state, query);
        return (
          <li key={query}>
            <InPageLink href={printState(asked)} onPick={() => onPick(asked)}>
              <span dir="auto">{query}</span>
            </InPageLink>
          </li>
        );
      })}
    </ul>
  );
}
