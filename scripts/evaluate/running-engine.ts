/** Customer of a running installation whose engines evaluations ask through the public API. */
const CUSTOMER = 1;

/** The service answers no page behind the first 10,000 results. Contract: 1.9. */
const MOST_DOCUMENTS = 10_000;

/** A call of the public API of one engine; fails with what the server answered. */
export type CallEngine = <Body>(path: string, init: RequestInit) => Promise<Body>;

/** An engine of an installation that was started with `RATE_SEARCH_PER_SECOND=0`. */
export function openRunningEngine(url: string, engine: string): CallEngine {
  const base = `${url}/api/v4/${CUSTOMER}/${engine}`;
  const authorization = `SiteKey ${Buffer.from(`${CUSTOMER}:${engine}:SearchKey`).toString('base64')}`;
  return (path, init) => call(`${base}${path}`, authorization, init);
}

/** A document as a search answers it, by the names of its fields. */
export type FoundDocument = {
  readonly Id: string;
  readonly Fields: Readonly<Record<string, { readonly Value: string }>>;
};

/** Documents of an engine with these fields, at most 10,000. */
export async function foundDocuments(
  callEngine: CallEngine,
  fields: readonly string[],
): Promise<readonly FoundDocument[]> {
  const body = JSON.stringify({ query: '*', fields, perPage: MOST_DOCUMENTS });
  const { TypedDocuments } = await callEngine<{ TypedDocuments: readonly FoundDocument[] }>('/search', {
    method: 'POST',
    body,
  });
  return TypedDocuments;
}

async function call<Body>(url: string, authorization: string, init: RequestInit): Promise<Body> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

/** A set and the number of its engine or crawler: `<set>@<number>`. */
export type NumberedSet<Name extends string> = { readonly name: Name; readonly number: string };

/**
 * The sets that a running installation at `url` is asked for; none without one. @throws Error when one is not in this form
 * or not of these sets, when there is none, or no installation to ask
 */
export function numberedSets<Name extends string>(
  words: readonly string[],
  { names, url }: { readonly names: readonly Name[]; readonly url: string | undefined },
): readonly NumberedSet<Name>[] {
  if ((url === undefined) !== (words.length === 0)) {
    throw new Error('--url and <set>@<number> go together: write both, or neither');
  }
  return words.map((word) => {
    const [text, number = ''] = word.split('@');
    const name = names.find((each) => each === text);
    if (name === undefined || !/^[1-9]\d*$/.test(number)) {
      throw new Error(`${word}: write <set>@<number>, with one of ${names.join(', ')}`);
    }
    return { name, number };
  });
}
