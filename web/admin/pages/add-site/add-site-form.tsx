import { useState } from 'preact/hooks';
import { useQueryState } from '../../client/query-state.ts';
import { useAnswer } from '../../client/use-answer.ts';
import type { Customer } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { FoundSite } from './found-site.tsx';
import { useProbe } from './use-probe.ts';

const MAX_CUSTOMERS = 100;

/** The address, and what is found there. */
export function AddSiteForm() {
  const { query, replace } = useQueryState();
  const [url, setUrl] = useState(query['url'] ?? '');
  const customers = useAnswer<{ readonly items: readonly Customer[] }>(`/customers?limit=${MAX_CUSTOMERS}`).answer
    ?.items;
  const [customer, setCustomer] = useState<string>();
  const probe = useProbe();
  const customerId = customer ?? String(customers?.[0]?.id ?? '');
  const isRunning = probe.state.kind === 'running';
  return (
    <>
      <Card title="Address">
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            replace({ url });
            probe.start(url);
          }}
        >
          <TextField
            label="Address of the site"
            hint="A domain is enough. With a path only what lies below it is crawled."
            placeholder="www.example.org"
            value={url}
            problem={probe.problemOf('url')}
            onInput={setUrl}
            isRequired
            isFocused
          />
          {customers !== undefined && customers.length > 1 && (
            <SelectField
              label="Customer"
              value={customerId}
              options={customers.map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={setCustomer}
            />
          )}
          <div class="row">
            <button type="submit" class={probe.state.kind === 'found' ? '' : 'main'} disabled={isRunning}>
              <Icon name="search" /> Look at it
            </button>
            {isRunning && (
              <button type="button" class="plain" onClick={probe.cancel}>
                Cancel
              </button>
            )}
          </div>
        </form>
      </Card>
      {probe.state.kind === 'failed' && (
        <ErrorNotice error={probe.state.error} onRetry={() => probe.start(url)} shownPaths={['url']} />
      )}
      {isRunning && <Steps steps={probe.state.kind === 'running' ? probe.state.steps : []} />}
      {probe.state.kind === 'found' && (
        <FoundSite
          key={probe.state.site.url}
          site={probe.state.site}
          settings={probe.state.settings}
          customerId={customers !== undefined && customers.length > 1 ? Number(customerId) : undefined}
          onAllow={(settings) => probe.start(url, settings)}
        />
      )}
    </>
  );
}

function Steps({ steps }: { readonly steps: readonly string[] }) {
  return (
    <Card title="Looking">
      <ol class="stack" aria-live="polite">
        {steps.map((step, place) => (
          <li key={`${place} ${step}`} class="row quiet">
            <Icon name="check" />
            <bdi class="any">{step}</bdi>
          </li>
        ))}
      </ol>
      <progress class="wide" aria-label="Looking at the site" />
    </Card>
  );
}
