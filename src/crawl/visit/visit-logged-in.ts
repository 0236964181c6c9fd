import { AppError } from '../../core/errors.ts';
import type { FetchRequest, Hop } from '../../fetch/fetcher.ts';
import type { RenderRequest } from '../../fetch/renderer.ts';
import type { LoginResponse, LoginResult, SiteLogin } from '../crawl-access.ts';
import type { VisitRow } from './visit-url.ts';

export type Entry = {
  readonly login: SiteLogin;
  /** The site does not let the crawler in: nothing more may be visited. */
  readonly refused: (why: string) => Promise<void>;
};

/**
 * Visits behind a form login, by HTTP or in the browser: each logs in first when that is due, and once more when its
 * page is that of somebody who is not. Undefined, with the row as it was, when the site refuses.
 */
export function visitLoggedIn(visitRow: VisitRow, { login, refused }: Entry): VisitRow {
  return async (deps, visit, signal) => {
    const gate: Gate = { login, url: visit.row.url, refusal: undefined };
    const { fetcher, renderer } = deps;
    const visited = await visitRow(
      {
        ...deps,
        fetcher: { fetch: behind(gate, (request: FetchRequest, by) => fetcher.fetch(request, by)) },
        renderer: renderer && { render: behind(gate, (request: RenderRequest, by) => renderer.render(request, by)) },
      },
      visit,
      signal,
    );
    if (gate.refusal === undefined) return visited;
    await refused(gate.refusal);
    return undefined;
  };
}

type Gate = { readonly login: SiteLogin; readonly url: string; refusal: string | undefined };
type Ask<Request, Page> = (request: Request, signal: AbortSignal) => Promise<Page>;

function behind<Request, Page extends LoginResponse>(gate: Gate, ask: Ask<Request, Page>): Ask<Request, Page> {
  const { login } = gate;
  return async (request, signal) => {
    requireIn(gate, await login.enter(signal));
    const first = await look(gate, () => ask(request, signal));
    if (!first.isOut) return first.page;
    const again = await login.enterAgain(signal);
    if (again !== undefined) requireIn(gate, again);
    const second = again === undefined ? first : await look(gate, () => ask(request, signal));
    const { page } = second;
    // Who is logged in may be forbidden a page; who sees the form is not logged in.
    if (page !== undefined && (!second.isOut || FORBIDDEN.has(page.status))) return page;
    throw loginWall();
  };
}

function requireIn(gate: Gate, result: LoginResult): void {
  if (result.state === 'in') return;
  gate.refusal = result.why;
  throw loginWall();
}

type Looked<Page> =
  | { readonly page: Page; readonly isOut: boolean }
  | { readonly page: undefined; readonly isOut: true };

async function look<Page extends LoginResponse>({ login, url }: Gate, ask: () => Promise<Page>): Promise<Looked<Page>> {
  try {
    const page = await ask();
    return { page, isOut: login.looksLoggedOut(url, page) };
  } catch (error) {
    if (!login.leadsToForm(hopsOf(error))) throw error;
    return { page: undefined, isOut: true };
  }
}

const FORBIDDEN: ReadonlySet<number> = new Set([401, 403]);

function hopsOf(error: unknown): readonly Hop[] {
  const hops = error instanceof AppError ? error.options.details?.['hops'] : undefined;
  return (hops as readonly Hop[] | undefined) ?? [];
}

function loginWall(): AppError {
  return new AppError('fetch.unavailable', 'The site asks for a login', { details: { reason: 'login-wall' } });
}
