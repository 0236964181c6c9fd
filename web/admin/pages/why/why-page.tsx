import { useRoute } from 'preact-iso/router';
import { useQueryState } from '../../client/query-state.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { QueryForm } from '../../parts/query-form.tsx';
import { QueryAnswer } from './query-answer.tsx';
import { UrlAnswer } from './url-answer.tsx';
import './why-page.css';

const URL_TEXT = /^https?:\/\//i;

/** Why is a page missing, or where it is? Asked by a URL, or by a query. */
export function WhyPage() {
  const { params } = useRoute();
  const { query } = useQueryState();
  const engineId = params['engineId'] ?? '';
  const asked = (query['q'] ?? '').trim();
  const isUrl = URL_TEXT.test(asked);
  return (
    <>
      <PageHead
        title="Why?"
        about="Paste a URL to learn what became of it, or a query to learn why its hits stand where they do."
      />
      <QueryForm
        key={`${engineId} ${asked}`}
        query={asked}
        icon="why"
        label="URL or query"
        placeholder="https://… or a query"
        action="Ask"
      />
      {asked === '' && (
        <EmptyState icon="why" title="Ask about a page or a query">
          A URL is followed from the rules of the crawler to the index. Of a query each hit shows its place, its score
          and what the score is made of.
        </EmptyState>
      )}
      {asked !== '' && isUrl && <UrlAnswer key={asked} engineId={engineId} url={asked} />}
      {asked !== '' && !isUrl && <QueryAnswer key={asked} engineId={engineId} query={asked} url={query['page']} />}
    </>
  );
}
