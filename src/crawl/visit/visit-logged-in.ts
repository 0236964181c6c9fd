import { AppError } from '../../core/errors.ts';
import type { FetchedResource, Fetcher, FetchRequest, Hop } from '../../fetch/fetcher.ts';
import type { LoginResult, SiteLogin } from '../site-login.ts';
import { type Visit, type VisitDeps, type Visited, visitUrl } from './visit-url.ts';

export type LoggedInDeps = VisitDeps & {
  readonly login: SiteLogin;
  /** The site does not let the crawler in: nothing more may be visited. */
  readonly refused: (why: string) => Promise<void>;
};

/**
 * A visit behind a form login: logs in first, and once more when the page is that of somebody who is not. Undefined,
 * with the row as it was, when the site refuses.
 */
export async function visitLoggedIn(
  deps: LoggedInDeps,
  visit: Visit,
  signal: AbortSignal,
): Promise<Visited | undefined> {
  let refusal: string | undefined;
  const fetcher = loggedInFetcher(deps, visit.row.url, (why) => {
    refusal = why;
  });
  const visited = await visitUrl({ ...deps, fetcher }, visit, signal);
  if (refusal === undefined) return visited;
  await deps.refused(refusal);
  return undefined;
}

function loggedInFetcher(
  { login, fetcher }: LoggedInDeps,
  url: string,
  refused: (why: string) => void,
): Pick<Fetcher, 'fetch'> {
  const require = (result: LoginResult) => {
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
      require(await login.enter(signal));
      const first = await ask(request, signal);
      if (!first.isOut) return first.resource;
      const again = await login.enterAgain(signal);
      if (again !== undefined) require(again);
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
