import type { SearchResponse } from '../../packages/client/src/index.ts';
import type { Language } from '../messages/language.ts';
import { useLanguage } from '../parts/language.ts';

/** Synonyms named in the line; a group may have dozens. */
const NAMED_SYNONYMS = 5;

type Props = { readonly query: string; readonly response: SearchResponse };

/** One quiet line about what was searched other than what was typed. Contract: 2.9. */
export function AnswerNote({ query, response: { FixedQuery, Synonyms } }: Props) {
  const language = useLanguage();
  if (FixedQuery === '' && Synonyms.length === 0) return null;
  return (
    <p class="note">
      {FixedQuery !== '' && (
        <>{language.nodes('results.corrected', { corrected: <strong>{FixedQuery}</strong>, query })} </>
      )}
      {Synonyms.length > 0 && language.text('results.synonyms', { synonyms: listSynonyms(language, Synonyms) })}
    </p>
  );
}

/** What a screen reader says when an answer comes: how many results, and of which query when it was corrected. */
export function spokenSummary({ text }: Language, summary: string, { FixedQuery }: SearchResponse): string {
  return FixedQuery === '' ? summary : text('results.correctedSpoken', { summary, corrected: FixedQuery });
}

function listSynonyms({ text }: Language, synonyms: readonly string[]): string {
  const rest = synonyms.length - NAMED_SYNONYMS;
  const named = synonyms.slice(0, NAMED_SYNONYMS).join(', ');
  return rest > 0 ? text('results.moreSynonyms', { synonyms: named, count: rest }) : named;
}
