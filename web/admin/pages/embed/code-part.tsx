import type { Engine, Widget } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { visitorAddress } from './visitor-address.ts';

type Props = { readonly engine: Engine; readonly widget: Widget };

/** What developers begin with, with the address and the key of this engine. */
export function CodePart({ engine, widget }: Props) {
  const address = visitorAddress(widget);
  return (
    <div class="stack">
      {snippets(engine, address, widget.key).map(({ title, about, code }) => (
        <Card key={title} title={title} actions={<CopyButton text={code} />}>
          <p class="quiet">{about}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard (WCAG 2.1.1) */}
          <pre class="snippet" dir="ltr" tabIndex={0}>
            <code>{code}</code>
          </pre>
        </Card>
      ))}
      <Card title="To read on">
        <ul class="guides">
          <li>
            <a href="/docs">The whole API</a>, described, and to be tried; for machines:{' '}
            <a href="/openapi.json">openapi.json</a>
          </li>
          <li>
            <code>docs/widget.md</code>: the tag, its options and events
          </li>
          <li>
            <code>docs/client.md</code>: the typed client, with search, answers and tracking
          </li>
          <li>
            <code>docs/http-api.md</code>: requests and answers
          </li>
          <li>
            <code>docs/mcp.md</code>: the search as a tool of agents
          </li>
        </ul>
      </Card>
    </div>
  );
}

function snippets({ id, customer }: Engine, address: string, key: string) {
  return [
    {
      title: 'Client in a page',
      about: 'Without a build: the client comes from the installation, in the version that runs.',
      code: `import { createSearchClient } from '${address}/client.js';

const { search } = createSearchClient({ baseUrl: '${address}', customerId: ${customer}, engineId: ${id} });
const { TotalDocument, TypedDocuments } = await search({ query: 'opening hours', highlight: true });
console.log(TotalDocument, TypedDocuments.map(({ Fields }) => Fields.Title.Value));`,
    },
    {
      title: 'Search over HTTP',
      about: 'The site key may search and nothing else, so a browser may know it.',
      code: `curl -s ${address}/api/v4/${customer}/${id}/search \\
  -H 'Authorization: SiteKey ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"opening hours"}'`,
    },
    {
      title: 'Answers',
      about: 'An answer with its sources, piece by piece as it is written.',
      code: `import { createAnswerClient } from '${address}/client.js';

const { streamAnswer } = createAnswerClient({ baseUrl: '${address}', customerId: ${customer}, engineId: ${id} });
const answer = await streamAnswer({ question: 'When is it open?' });
for await (const piece of answer.pieces) console.log(piece);`,
    },
  ];
}
