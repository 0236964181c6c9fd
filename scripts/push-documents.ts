/** A crawler of a customer of a running installation, and an API key that may push. */
export type PushTarget = {
  readonly address: string;
  readonly customerId: number;
  readonly crawlerId: number;
  readonly key: string;
};

export type PushOptions = {
  /** Documents of one request, 100 without. A request takes 1,000 documents, and 20 MB. Contract: 1.9. */
  readonly together?: number;
  /** Resolves when the documents can be found. */
  readonly awaitsIndex?: boolean;
};

const PUSHED_TOGETHER = 100;

/**
 * Pushes documents to the public API, request after request.
 * @throws Error with what the server answered when it does not take them
 */
export async function pushDocuments(
  { address, customerId, crawlerId, key }: PushTarget,
  documents: Iterable<object>,
  { together = PUSHED_TOGETHER, awaitsIndex = false }: PushOptions = {},
): Promise<void> {
  const url = `${address}/api/v4/${customerId}/index/${crawlerId}/documents?echo=false`;
  const authorization = `Basic ${Buffer.from(`${customerId}:${key}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const put = async (batch: readonly object[], query: string) => {
    const response = await fetch(url + query, { method: 'PUT', headers, body: JSON.stringify(batch) });
    if (response.status !== 200) throw new Error(`push refused: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  let waiting: object[] = [];
  for (const document of documents) {
    if (waiting.length === together) {
      await put(waiting, '');
      waiting = [];
    }
    waiting.push(document);
  }
  if (waiting.length > 0) await put(waiting, awaitsIndex ? '&refresh=wait' : '');
}
