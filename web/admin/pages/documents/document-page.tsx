import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAdmin, useMay } from '../../client/client-context.ts';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { WholeDocument } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { languageName } from '../../parts/language-name.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { KINDS } from './document-kinds.ts';
import { ExtractionCard } from './extraction-card.tsx';
import './documents-page.css';

/** One document, by its row or its URL (`/documents/by-url?url=`). */
export function DocumentPage() {
  const { params } = useRoute();
  const { query } = useQueryState();
  const engineId = params['engineId'] ?? '';
  const { rid = '' } = params;
  const isByUrl = rid === 'by-url';
  const url = query['url'] ?? '';
  const base = `/engines/${engineId}/documents`;
  const path = isByUrl ? `${base}/by-url?${new URLSearchParams({ url })}` : `${base}/${rid}`;
  const { answer, error, reload } = useAnswer<WholeDocument>(path);
  if (answer !== undefined) return <Whole key={answer.rid} engineId={engineId} document={answer} />;
  return (
    <>
      <PageHead title="Document" about={isByUrl && <SafeLink address={url}>{url}</SafeLink>} />
      <ErrorNotice error={error} onRetry={reload} />
      {error !== undefined && isByUrl && (
        <div>
          <a class="button" href={`/admin/engines/${engineId}/why?${new URLSearchParams({ q: url })}`}>
            Why is it not there?
          </a>
        </div>
      )}
      {error === undefined && <Skeleton lines={10} />}
    </>
  );
}

type Props = { readonly engineId: string; readonly document: WholeDocument };

function Whole({ engineId, document }: Props) {
  const mayDelete = useMay('operator');
  const [isAsking, setAsking] = useState(false);
  const { title, id, fields } = document;
  const url = fields['Url']?.[0] ?? id;
  return (
    <>
      <PageHead title={title === '' ? url : title} about={<SafeLink address={url}>{url}</SafeLink>}>
        <a class="button" href={`/admin/engines/${engineId}/why?${new URLSearchParams({ q: url })}`}>
          Why?
        </a>
        {mayDelete && (
          <button type="button" class="danger" onClick={() => setAsking(true)}>
            <Icon name="remove" /> Delete
          </button>
        )}
      </PageHead>
      {document.damaged && <p class="notice bad">The row is damaged and its fields are lost: crawl the page again.</p>}
      <Facts engineId={engineId} document={document} />
      <Card title="Fields">
        <FieldTable fields={fields} />
      </Card>
      {document.origin === 'crawled' && <ExtractionCard engineId={engineId} rid={document.rid} />}
      {isAsking && <DeleteDialog engineId={engineId} document={document} onClose={() => setAsking(false)} />}
    </>
  );
}

function Facts({ engineId, document }: Props) {
  const { crawler, id, type, origin, language, createdAt, updatedAt, seq } = document;
  return (
    <Card title="About it">
      <dl class="facts">
        <dt>Id</dt>
        <dd class="any" dir="ltr">
          {id}
        </dd>
        <dt>Type</dt>
        <dd>
          <StatusPill tone="idle">{KINDS[type]}</StatusPill> {languageName(language)}
        </dd>
        <dt>Came</dt>
        <dd>
          {origin === 'crawled' ? 'read by ' : 'pushed to '}
          <a href={`/admin/sites/${engineId}?crawler=${crawler}`}>crawler {crawler}</a>, <TimeText at={createdAt} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <TimeText at={updatedAt} /> <span class="quiet">(change {seq} of the engine)</span>
        </dd>
      </dl>
    </Card>
  );
}

const LONG_CHARS = 600;

function FieldTable({ fields }: Pick<WholeDocument, 'fields'>) {
  return (
    <dl class="field-list">
      {Object.entries(fields).map(([name, values]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            {values.map((value, place) => (
              <FieldValue key={place} value={value} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldValue({ value }: { readonly value: string }) {
  if (value.length <= LONG_CHARS) {
    return (
      <p class="any field-value" dir="auto">
        {value}
      </p>
    );
  }
  return (
    <details>
      <summary dir="auto">
        {value.slice(0, LONG_CHARS)}… <span class="quiet">({value.length.toLocaleString('en')} characters)</span>
      </summary>
      <p class="any field-value" dir="auto">
        {value}
      </p>
    </details>
  );
}

function DeleteDialog({ engineId, document, onClose }: Props & { readonly onClose: () => void }) {
  const client = useAdmin();
  const toast = useToast();
  const { route } = useLocation();
  const remove = async () => {
    await client.delete(`/engines/${engineId}/documents/${document.rid}`);
    toast({ text: 'The document is deleted' });
    route(`/admin/engines/${engineId}/documents`);
  };
  return (
    <ConfirmDialog title="Delete this document?" action="Delete" isDangerous onConfirm={remove} onClose={onClose}>
      <p>Visitors do not find it any more, within a moment.</p>
      <p class="quiet">
        {document.origin === 'crawled'
          ? 'There is no undo, but a crawler that visits the page again makes it anew. To keep it out, exclude its URL in the settings of the crawler, or hide the page with a tool.'
          : 'There is no undo: whoever pushed it has to push it again.'}
      </p>
    </ConfirmDialog>
  );
}
