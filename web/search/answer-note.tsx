import type { SearchResponse } from '../client/search-types.ts';

/** Synonyms named in the line; a group may have dozens. */
const NAMED_SYNONYMS = 5;

type Props = { readonly query: string; readonly response: SearchResponse };

/** One quiet line about what was searched other than what was typed. Contract: 2.9. */
export function AnswerNote({ query, response: { FixedQuery, Synonyms } }: Props) {
  if (FixedQuery === '' && Synonyms.length === 0) return null;
  return (
    <p class="note">
      {FixedQuery !== '' && (
        <>
          Showing results for <strong>{FixedQuery}</strong>. Nothing matches “{query}”.{' '}
        </>
      )}
      {Synonyms.length > 0 && <>Also searched for {listSynonyms(Synonyms)}.</>}
    </p>
  );
}

/** What a screen reader says of it when an answer comes. */
export function spokenNote({ FixedQuery }: SearchResponse): string {
  return FixedQuery === '' ? '' : `, showing results for ${FixedQuery}`;
}

function listSynonyms(synonyms: readonly string[]): string {
  const rest = synonyms.length - NAMED_SYNONYMS;
  const named = synonyms.slice(0, NAMED_SYNONYMS).join(', ');
  return rest > 0 ? `${named} and ${rest} more` : named;
}
