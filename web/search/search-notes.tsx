import type { SearchResponse } from '../../packages/client/src/index.ts';
import type { Language } from '../messages/language.ts';
import { useLanguage } from '../parts/language.ts';
import { MOST_QUERY_CHARS, PER_PAGE, shortQuery } from './search-request.ts';
import type { SearchState } from './search-state.ts';
import type { Found } from './use-search.ts';

/** Synonyms named in the line; a group may have dozens. */
const NAMED_SYNONYMS = 5;

type Props = { readonly query: string; readonly response: SearchResponse };

/** Quiet lines about what was searched other than what was typed. Contract: 2.9. */
export function SearchNotes({ query, response: { FixedQuery, Synonyms, GenerativeAnswerAvailable } }: Props) {
  const language = useLanguage();
  const { text } = language;
  const isCut = shortQuery(query) !== query;
  if (!isCut && FixedQuery === '' && Synonyms.length === 0) return null;
  return (
    <p class="note">
      {isCut && (
        <>
          {text(GenerativeAnswerAvailable ? 'results.longAnswered' : 'results.longCut', {
            count: MOST_QUERY_CHARS,
          })}{' '}
        </>
      )}
      {FixedQuery !== '' && (
        <>{language.nodes('results.corrected', { corrected: <strong dir="auto">{FixedQuery}</strong>, query })} </>
      )}
      {Synonyms.length > 0 && text('results.synonyms', { synonyms: listSynonyms(language, Synonyms) })}
    </p>
  );
}

/** What a screen reader says of a search; nothing of one that nobody has asked for. */
export function announcement(language: Language, { asked, response }: Found): string {
  if (response === undefined || asked.how === 'rested') return '';
  const summary = summarize(language, asked.state, response);
  const { FixedQuery: corrected } = response;
  return corrected === '' ? summary : language.text('results.correctedSpoken', { summary, corrected });
}

/** How many results there are, and which of them are shown. */
export function summarize(
  { text }: Language,
  { page }: SearchState,
  { TotalDocument: total, TypedDocuments }: SearchResponse,
): string {
  const first = (page - 1) * PER_PAGE + 1;
  const last = first + TypedDocuments.length - 1;
  if (total <= PER_PAGE || last < first) return text('results.count', { count: total });
  return text('results.part', { first, last, count: total });
}

function listSynonyms({ text }: Language, synonyms: readonly string[]): string {
  const rest = synonyms.length - NAMED_SYNONYMS;
  const named = synonyms.slice(0, NAMED_SYNONYMS).join(', ');
  return rest > 0 ? text('results.moreSynonyms', { synonyms: named, count: rest }) : named;
}
