import type { AdminAnswer } from './admin-api.ts';
import { requireDescribed } from './described-answers.ts';

type BrowserAnswer = AdminAnswer & {
  /** What the answer sets. */
  readonly cookie: string | undefined;
};

/** Calls the admin API as a page of it would: with the cookie that it was given, and where the request comes from. */
export function createBrowser(origin: string) {
  let cookie: string | undefined;
  const call = async (method: string, path: string, body?: unknown): Promise<BrowserAnswer> => {
    const answer = await fetch(`${origin}/admin/v1${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { status, headers } = answer;
    const set = headers.get('set-cookie') ?? undefined;
    if (set !== undefined) cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
    const shown = headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(text) : undefined;
    requireDescribed(
      { method, path: `/admin/v1${path}` },
      { status, headers: Object.fromEntries(headers), body: shown },
    );
    return { status, body: shown, cookie: set };
  };
  return {
    call,
    cookie: () => cookie,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body: unknown) => call('PUT', path, body),
    patch: (path: string, body: unknown) => call('PATCH', path, body),
    delete: (path: string) => call('DELETE', path),
  };
}
