import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { useLanguage } from './language.ts';
import { type Block, type Inline, parseAnswer } from './parse-answer.ts';
import { SafeLink } from './safe-link.tsx';

type Props = { readonly markdown: string; readonly onFollow: (url: string) => void };

/** An answer with its citations as links. */
export function AnswerText({ markdown, onFollow }: Props) {
  const show = (content: readonly Inline[]) => content.map((inline) => <Part inline={inline} onFollow={onFollow} />);
  return (
    <>
      {parseAnswer(markdown).map((block) => {
        if (block.kind === 'code') return <Code text={block.text} />;
        if (block.kind === 'heading') return <h3 dir="auto">{show(block.content)}</h3>;
        if (block.kind === 'paragraph') return <p dir="auto">{show(block.content)}</p>;
        if (block.kind === 'table') return <Table block={block} show={show} />;
        const items = block.items.map((item) => <li dir="auto">{show(item)}</li>);
        return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
      })}
    </>
  );
}

type TableProps = {
  readonly block: Extract<Block, { kind: 'table' }>;
  readonly show: (content: readonly Inline[]) => ComponentChildren;
};

/** What is wider than its place scrolls. */
function Table({ block: { names, rows }, show }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard (WCAG 2.1.1)
    <div class="answer-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {names.map((cell) => (
              <th scope="col" dir="auto">
                {show(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td dir="auto">{show(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Code is written from left to right, whatever the language around it. */
function Code({ text: code }: { readonly text: string }) {
  const { text } = useLanguage();
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="code" dir="ltr">
      <pre>{code}</pre>
      <button type="button" class="quiet" onClick={async () => setCopied(await copyText(code))}>
        {text(isCopied ? 'answer.copied' : 'answer.copyCode')}
      </button>
    </div>
  );
}

function Part({ inline, onFollow }: { readonly inline: Inline; readonly onFollow: (url: string) => void }) {
  const { text } = useLanguage();
  switch (inline.kind) {
    case 'text':
      return <>{inline.text}</>;
    case 'code':
      return <code>{inline.text}</code>;
    case 'strong':
      return <strong>{inline.text}</strong>;
    case 'emphasis':
      return <em>{inline.text}</em>;
    case 'link':
      return (
        <SafeLink address={inline.url} onFollow={() => onFollow(inline.url)}>
          {inline.text}
        </SafeLink>
      );
    case 'citation':
      return (
        <span class="citation">
          <SafeLink address={inline.url} onFollow={() => onFollow(inline.url)}>
            <span class="unseen">{text('answer.source')} </span>
            {inline.reference}
          </SafeLink>
        </span>
      );
  }
}
