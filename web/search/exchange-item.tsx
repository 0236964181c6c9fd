import type { Opinion } from '../client/answer-client.ts';
import type { ApiError } from '../client/api-error.ts';
import { AnswerText } from '../parts/answer-text.tsx';
import { citedSources, shownPart } from '../parts/parse-answer.ts';
import { SafeLink } from '../parts/safe-link.tsx';
import { shortAddress } from '../parts/short-address.ts';
import type { Exchange } from './use-conversation.ts';

type Props = {
  readonly exchange: Exchange;
  /** The question of the first exchange stands in the search box already. */
  readonly isFirst: boolean;
  readonly onRate: (opinion: Opinion) => void;
  readonly onFollow: (url: string) => void;
};

export function ExchangeItem({ exchange, isFirst, onRate, onFollow }: Props) {
  const { question, markdown, state, error } = exchange;
  const shown = state === 'writing' ? shownPart(markdown) : markdown;
  return (
    <li class="exchange">
      {!isFirst && question && <p class="asked">{question}</p>}
      {shown === '' && state === 'writing' && <p class="hint">Reading the pages …</p>}
      <div class="written">
        <AnswerText markdown={shown} onFollow={onFollow} />
      </div>
      {state === 'stopped' && <p class="hint">Stopped.</p>}
      {error && <p class="failed">{explain(error)}</p>}
      {state === 'done' && <Sources markdown={markdown} onFollow={onFollow} />}
      {state === 'done' && <Rating exchange={exchange} onRate={onRate} />}
    </li>
  );
}

function Sources({ markdown, onFollow }: { readonly markdown: string; readonly onFollow: (url: string) => void }) {
  const sources = citedSources(markdown);
  if (sources.length === 0) return null;
  return (
    <ol class="sources" aria-label="Sources">
      {sources.map(({ reference, url }) => (
        <li value={reference}>
          <SafeLink address={url} onFollow={() => onFollow(url)}>
            <span class="path">{shortAddress(url)}</span>
          </SafeLink>
        </li>
      ))}
    </ol>
  );
}

const CHOICES = [
  ['positive', 'Helpful'],
  ['negative', 'Not helpful'],
] as const;

function Rating({ exchange: { opinion }, onRate }: Pick<Props, 'exchange' | 'onRate'>) {
  return (
    <fieldset class="rating">
      <legend class="unseen">Was this answer helpful?</legend>
      {CHOICES.map(([rating, label]) => (
        <button
          type="button"
          class="quiet"
          aria-pressed={opinion?.rating === rating}
          onClick={() => onRate({ rating })}
        >
          {label}
        </button>
      ))}
      <span role="status">{opinion && 'Thank you.'}</span>
    </fieldset>
  );
}

function explain({ status, retryAfterSeconds }: ApiError): string {
  if (status === 0) return 'The answer service could not be reached. Check your connection and ask again.';
  if (status === 401 || status === 403) return 'This page is not allowed to ask for answers.';
  if (status === 422) return 'These results do not say enough about it for a summary.';
  if (status === 429) return `Too many questions at once. Ask again in ${retryAfterSeconds ?? 1} s.`;
  return 'No answer can be written at the moment. The results below are not affected.';
}
