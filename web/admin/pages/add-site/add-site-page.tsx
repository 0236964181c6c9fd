import { useQueryState } from '../../client/query-state.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { AddSiteForm } from './add-site-form.tsx';
import { FirstRun } from './first-run.tsx';

/** One address → what was found there → a run → search it. The run stands in the address of the page. */
export function AddSitePage() {
  const { query } = useQueryState();
  const { engine, crawler, run } = query;
  return (
    <>
      <PageHead
        title="Add a site"
        about="Name its address. A few of its pages are read to see what is there, before anything is stored."
      />
      {engine !== undefined && crawler !== undefined ? (
        <FirstRun
          engineId={Number(engine)}
          crawlerId={Number(crawler)}
          runId={run === undefined ? undefined : Number(run)}
        />
      ) : (
        <AddSiteForm />
      )}
    </>
  );
}
