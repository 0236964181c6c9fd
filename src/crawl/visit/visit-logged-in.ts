import { AppError } from '../../core/errors.ts';
import type { FetchedResource, Fetcher, FetchRequest, Hop } from '../../fetch/fetcher.ts';
import type { LoginResult, SiteLogin } from '../site-login.ts';
import type { VisitRow } from './visit-url.ts';

export type Entry = {
  readonly login: SiteLogin;
  /** The site does not let the crawler in: nothing more may be visited. */
  readonly refused: (why: string) => Promise<void>;
};

/**
 * Visits behind a form login: each logs in first when that is due, and once more when its page is that of somebody who
 * is not. Undefined, with the row as it was, when the site refuses.
 */
export function visitLoggedIn(visitRow: VisitRow, { login, refused }: Entry): VisitRow {
  return async (deps, visit, signal) => {
    let refusal: string | undefined;
    const fetcher = loggedInFetcher(deps.fetcher, { login, url: visit.row.url }, (why) => {
      refusal = why;
    });
    const visited = await visitRow({ ...deps, fetcher }, visit, signal);
    if (refusal === undefined) return visited;
    await refused(refusal);
    return undefined;
  };
}

type PageFetcher = Pick<Fetcher, 'fetch'>;

function loggedInFetcher(
  fetcher: PageFetcher,
  { login, url }: { readonly login: SiteLogin; readonly url: string },
  refused: (why: string) => void,
): PageFetcher {
  const requireIn = (result: LoginResult) => {
    if (result.state === 'in') return;
    refused(result.why);
    throw loginWall();
  };
  const ask = async (request: FetchRequest, signal: AbortSignal): Promise<Asked> => {
    try {
      const resource = await fetcher.fetch(request, signal);
      return { resource, isOut: login.looksLoggedOut(url, resource) };
    } catch (error) {
      if (!login.leadsToForm(hopsOf(error))) throw error;
      return { resource: undefined, isOut: true };
    }
  };
  return {
    fetch: async (request, signal) => {
      requireIn(await login.enter(signal));
      const first = await ask(request, signal);
      if (!first.isOut) return first.resource;
      const again = await login.enterAgain(signal);
      if (again !== undefined) requireIn(again);
      const second = again === undefined ? first : await ask(request, signal);
      const { resource } = second;
      // Who is logged in may be forbidden a page; who sees the form is not logged in.
      if (resource !== undefined && (!second.isOut || FORBIDDEN.has(resource.status))) return resource;
      throw loginWall();
    },
  };
}

type Asked =
  | { readonly resource: FetchedResource; readonly isOut: boolean }
  | { readonly resource: undefined; readonly isOut: true };

const FORBIDDEN: ReadonlySet<number> = new Set([401, 403]);

function hopsOf(error: unknown): readonly Hop[] {
  const hops = error instanceof AppError ? error.options.details?.['hops'] : undefined;
  return (hops as readonly Hop[] | undefined) ?? [];
}

function loginWall(): AppError {
  return new AppError('fetch.unavailable', 'The site asks for a login', { details: { reason: 'login-wall' } });
}
