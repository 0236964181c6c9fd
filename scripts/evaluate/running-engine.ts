/** Engines of a running installation that evaluations ask through the public API. */
const CUSTOMER = 1;

/** A call of the public API of one engine; fails with what the server answered. */
export type CallEngine = <Body>(path: string, init: RequestInit) => Promise<Body>;

/** An engine of customer 1 of an installation that was started with `RATE_SEARCH_PER_SECOND=0`. */
export function openRunningEngine(url: string, engine: string): CallEngine {
  const base = `${url}/api/v4/${CUSTOMER}/${engine}`;
  const authorization = `SiteKey ${Buffer.from(`${CUSTOMER}:${engine}:SearchKey`).toString('base64')}`;
  return async <Body>(path: string, init: RequestInit): Promise<Body> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${base}${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
}
