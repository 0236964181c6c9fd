import { useState } from 'preact/hooks';
import { useAdmin } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import type { QueuedUrls } from '../../generated-types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { LinesField } from '../../parts/fields.tsx';
import { formatCounted } from '../../parts/format.ts';
import { useToast } from '../../parts/toasts.tsx';
import { useSite } from './site-context.ts';

/** URLs that are visited now, ahead of all others. */
export function QueueUrls() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Visit URLs now
      </button>
      {isOpen && <QueueDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function QueueDialog({ onClose }: { readonly onClose: () => void }) {
  const { crawler, reload } = useSite();
  const client = useAdmin();
  const change = useChange();
  const toast = useToast();
  const [lines, setLines] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const urls = lines.map((line) => line.trim()).filter((line) => line !== '');
  const queue = () =>
    change.run(async () => {
      const { body } = await client.post<QueuedUrls>(`/crawlers/${crawler.id}/urls`, { body: { urls } });
      const invalid = body.urls.filter(({ status }) => status === 'Invalid').map(({ url }) => url);
      reload();
      if (!body.active) toast({ text: 'The crawler is inactive: nothing is visited until it is activated' });
      else toast({ text: `${formatCounted(body.urls.length - invalid.length, 'URL')} will be visited now` });
      if (invalid.length === 0) onClose();
      setLines(invalid);
      setRefused(invalid);
    });
  return (
    <Dialog title="Visit URLs now" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void queue();
        }}
      >
        <ErrorNotice error={change.error} shownPaths={['urls']} />
        <LinesField
          label="URLs"
          hint="One a line."
          values={lines}
          problem={change.problemOf('urls') ?? (refused.length > 0 ? 'These are no URLs.' : undefined)}
          onChange={setLines}
        />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={urls.length === 0 || change.isRunning}>
            Visit
          </button>
        </div>
      </form>
    </Dialog>
  );
}
