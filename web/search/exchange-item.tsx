import type { FossickError } from '../../packages/client/src/index.ts';
import type { Opinion } from '../client/writing-client.ts';
import type { Language } from '../messages/language.ts';
import { AnswerText } from '../parts/answer-text.tsx';
import { useLanguage } from '../parts/language.ts';
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
  const language = useLanguage();
  const { question, markdown, state, error } = exchange;
  const shown = state === 'writing' ? shownPart(markdown) : markdown;
  return (
    <li class="exchange">
      {!isFirst && question && <p class="asked">{question}</p>}
      {shown === '' && state === 'writing' && <p class="hint">{language.text('answer.reading')}</p>}
      <div class="written">
        <AnswerText markdown={shown} onFollow={onFollow} />
      </div>
      {state === 'stopped' && <p class="hint">{language.text('answer.stopped')}</p>}
      {error && <p class="failed">{explain(language, error)}</p>}
      {state === 'done' && <Sources markdown={markdown} onFollow={onFollow} />}
      {state === 'done' && <Rating exchange={exchange} onRate={onRate} />}
    </li>
  );
}

function Sources({ markdown, onFollow }: { readonly markdown: string; readonly onFollow: (url: string) => void }) {
  const { text } = useLanguage();
  const sources = citedSources(markdown);
  if (sources.length === 0) return null;
  return (
    <ol class="sources" aria-label={text('answer.sources')}>
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
  ['positive', 'answer.helpful'],
  ['negative', 'answer.notHelpful'],
] as const;

function Rating({ exchange: { opinion }, onRate }: Pick<Props, 'exchange' | 'onRate'>) {
  const { text } = useLanguage();
  return (
    <fieldset class="rating">
      <legend class="unseen">{text('answer.rating')}</legend>
      {CHOICES.map(([rating, label]) => (
        <button
          type="button"
          class="quiet"
          aria-pressed={opinion?.rating === rating}
          onClick={() => onRate({ rating })}
        >
          {text(label)}
        </button>
      ))}
      <span role="status">{opinion && text('answer.thanks')}</span>
    </fieldset>
  );
}

function explain({ text }: Language, { status, retryAfterSeconds }: FossickError): string {
  if (status === 0) return text('error.answerOffline');
  if (status === 401 || status === 403) return text('error.answerDenied');
  if (status === 422) return text('error.answerThin');
  if (status === 429) return text('error.answerBusy', { seconds: retryAfterSeconds ?? 1 });
  return text('error.answerFailed');
}
