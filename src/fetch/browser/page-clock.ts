import type { CDPSession, Page } from 'playwright';

/** What a page may do by its timers: what a visitor sees after so long is read. */
const PAGE_TIME_MS = 10_000;
/** Tasks of a page that never rests, after which its time goes on all the same. */
const MAX_TASKS = 10_000;

type Policy = 'pauseIfNetworkFetchesPending' | 'advance';

/**
 * The clock of a page: while nothing is fetched its time runs ahead to the next timer, so that timers cost no waiting.
 * A document that takes the place of another one begins anew. Disposed, the time of the page is free.
 */
export type PageClock = AsyncDisposable & {
  /** The page has had its 10 s. */
  isSpent(): boolean;
  /** Another 10 s. `advance` does not wait for what is fetched. */
  goOn(policy: Policy): Promise<void>;
};

export async function startPageClock(page: Page, cdp: CDPSession): Promise<PageClock> {
  let isSpent = false;
  const spent = () => {
    isSpent = true;
  };
  const goOn = async (policy: Policy) => {
    isSpent = false;
    await cdp.send('Emulation.setVirtualTimePolicy', {
      policy,
      budget: PAGE_TIME_MS,
      maxVirtualTimeTaskStarvationCount: MAX_TASKS,
    });
  };
  // The process that shows the new document knows nothing of the time of the one before.
  const restart = () => void goOn('pauseIfNetworkFetchesPending').catch(ignoreClosed);
  cdp.on('Emulation.virtualTimeBudgetExpired', spent);
  page.on('domcontentloaded', restart);
  await goOn('pauseIfNetworkFetchesPending');
  return {
    isSpent: () => isSpent,
    goOn,
    [Symbol.asyncDispose]: async () => {
      cdp.off('Emulation.virtualTimeBudgetExpired', spent);
      page.off('domcontentloaded', restart);
      await cdp.send('Emulation.setVirtualTimePolicy', { policy: 'advance' }).catch(ignoreClosed);
    },
  };
}

/** The page was closed meanwhile: nobody asks for its time. */
function ignoreClosed(): void {}
