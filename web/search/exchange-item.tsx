import { useState } from 'preact/hooks';
import type { Opinion } from '../client/writing-client.ts';
import type { Language } from '../messages/language.ts';
import { AnswerText } from '../parts/answer-text.tsx';
import { copyText } from '../parts/copy-text.ts';
import { crumbsOf } from '../parts/crumbs.ts';
import { useLanguage } from '../parts/language.ts';
import { citedSources, shownPart } from '../parts/parse-answer.ts';
import { SafeLink } from '../parts/safe-link.tsx';
import type { Exchange } from './use-conversation.ts';
import type { TitleOf } from './use-source-titles.ts';

/** The address that asks a question. */
export type LinkTo = (question: string) => string;

type Props = {
  readonly exchange: Exchange;
  /** The question of the first exchange stands in the search box already. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly titleOf: TitleOf;
  readonly linkTo: LinkTo | undefined;
  readonly onAskAgain: (length: Exchange['length']) => void;
  readonly onRate: (opinion: Opinion) => void;
  readonly onFollow: (url: string) => void;
};

export function ExchangeItem({ exchange, isFirst, isLast, titleOf, linkTo, onAskAgain, onRate, onFollow }: Props) {
  const language = useLanguage();
  const { text } = language;
  const { question, length, markdown, state, error } = exchange;
  const shown = state === 'writing' ? shownPart(markdown) : markdown;
  const mayAskAgain = isLast && question !== undefined;
  // A refusal cites nothing.
  const isRefusal = citedSources(markdown).length === 0;
  return (
    <li class="exchange">
      {!isFirst && question && (
        <p class="asked" dir="auto">
          {question}
        </p>
      )}
      {shown === '' && state === 'writing' && <p class="hint">{text('answer.reading')}</p>}
      {exchange.isFallback && !isRefusal && <p class="hint">{text('answer.quoted')}</p>}
      <div class="written">
        <AnswerText markdown={shown} onFollow={onFollow} />
      </div>
      {state === 'stopped' && <p class="hint">{text('answer.stopped')}</p>}
      {error && <p class="failed">{markdown === '' ? explain(language, error) : text('error.answerCut')}</p>}
      {state !== 'writing' && <Sources markdown={markdown} titleOf={titleOf} onFollow={onFollow} />}
      {(state === 'failed' || state === 'stopped') && mayAskAgain && (
        <button type="button" class="quiet" onClick={() => onAskAgain(length)}>
          {text('answer.again')}
        </button>
      )}
      {state === 'done' && (
        <div class="actions">
          <Rating exchange={exchange} onRate={onRate} />
          {mayAskAgain && length === 'concise' && !isRefusal && (
            <button type="button" class="quiet" onClick={() => onAskAgain('comprehensive')}>
              {text('answer.more')}
            </button>
          )}
          {!isRefusal && <Copying exchange={exchange} titleOf={titleOf} linkTo={linkTo} />}
        </div>
      )}
    </li>
  );
}

type SourcesProps = Pick<Props, 'titleOf' | 'onFollow'> & { readonly markdown: string };

function Sources({ markdown, titleOf, onFollow }: SourcesProps) {
  const { text } = useLanguage();
  const sources = citedSources(markdown);
  if (sources.length === 0) return null;
  return (
    <ol class="sources" aria-label={text('answer.sources')}>
      {sources.map(({ reference, url }) => (
        <li value={reference}>
          <SafeLink address={url} onFollow={() => onFollow(url)}>
            <span dir="auto">{titleOf(url) ?? readableAddress(url)}</span>
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

/** The answer as text, and for a question a link that asks it. */
function Copying({
  exchange: { question, markdown },
  titleOf,
  linkTo,
}: Pick<Props, 'exchange' | 'titleOf' | 'linkTo'>) {
  const { text } = useLanguage();
  const [said, setSaid] = useState('');
  const copy = async (copied: string) => setSaid(text((await copyText(copied)) ? 'answer.copied' : 'answer.notCopied'));
  return (
    <div class="copying">
      <button type="button" class="quiet" onClick={() => copy(plainAnswer(markdown, titleOf))}>
        {text('answer.copy')}
      </button>
      {question !== undefined && linkTo !== undefined && (
        <button type="button" class="quiet" onClick={() => copy(linkTo(question))}>
          {text('answer.copyLink')}
        </button>
      )}
      <span role="status">{said}</span>
    </div>
  );
}

/** Citations as numbers, and behind the text what they stand for. */
function plainAnswer(markdown: string, titleOf: TitleOf): string {
  const text = markdown.replace(/\[(\d{1,3})\]\(https?:[^)\s]+\)/g, '[$1]').trim();
  const sources = citedSources(markdown).map(({ reference, url }) =>
    [`[${reference}]`, titleOf(url), url].filter(Boolean).join(' '),
  );
  return [text, sources.join('\n')].filter(Boolean).join('\n\n');
}

function readableAddress(url: string): string {
  const { site, folders } = crumbsOf({ address: url, breadcrumb: '', site: '', language: '' });
  return [site, ...folders].join(' › ');
}

function explain({ text }: Language, { status, retryAfterSeconds }: NonNullable<Exchange['error']>): string {
  if (status === 0) return text('error.answerOffline');
  if (status === 401 || status === 403) return text('error.answerDenied');
  if (status === 422) return text('error.answerThin');
  if (status === 429) return text('error.answerBusy', { seconds: retryAfterSeconds ?? 1 });
  return text('error.answerFailed');
}
