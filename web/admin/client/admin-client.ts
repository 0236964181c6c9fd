import { FossickError } from '../../../packages/client/src/fossick-error.ts';
import { createTransport, type Sent } from '../../../packages/client/src/transport.ts';

export type Asked = {
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The state that the change was made of: `record.changed` when it is another one by now. */
  readonly ifMatch?: string | undefined;
  /** JSON unless it is said. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type Answered<Body> = { readonly body: Body; readonly etag: string | undefined };

type Ask = <Body>(path: string, asked?: Asked) => Promise<Answered<Body>>;

/** The admin API. Paths are below `/admin/v1`; all reject with a `FossickError`, or with the reason of the signal. */
export type AdminClient = {
  readonly get: Ask;
  readonly post: Ask;
  readonly put: Ask;
  readonly patch: Ask;
  readonly delete: Ask;
  /** For what is no JSON. With a body it is a POST. */
  readonly open: (path: string, asked?: Asked) => Promise<Response>;
};

export type ClientDeps = {
  /** Undefined: the cookie of the session tells who asks. */
  readonly readToken: () => string | undefined;
  /** How often somebody has signed in: what was refused in the session before is sent again without asking. */
  readonly countSignIns: () => number;
  /** Resolves when somebody has signed in: the request is sent again. */
  readonly signIn: () => Promise<void>;
};

const transport = createTransport({ baseUrl: '/admin/v1', customerId: 0 });

export function createAdminClient(deps: ClientDeps): AdminClient {
  const ask =
    (method: Sent['method']): Ask =>
    async (path, asked = {}) =>
      readAnswer(await send(deps, method, path, asked));
  return {
    get: ask('GET'),
    post: ask('POST'),
    put: ask('PUT'),
    patch: ask('PATCH'),
    delete: ask('DELETE'),
    open: (path, asked = {}) => send(deps, asked.body === undefined ? 'GET' : 'POST', path, asked),
  };
}

/** Requests by which somebody signs in: that nobody is signed in is an answer to them. */
export function createSessionClient(readToken: ClientDeps['readToken']): AdminClient {
  return createAdminClient({ readToken, countSignIns: () => 0, signIn: () => Promise.reject(NOBODY) });
}

const NOBODY = Symbol('nobody is signed in');

/** What was typed stays where it is meanwhile: the page waits with the request. */
async function send(deps: ClientDeps, method: Sent['method'], path: string, asked: Asked): Promise<Response> {
  for (;;) {
    const signIns = deps.countSignIns();
    try {
      return await transport.open({ method, path, ...sentOf(asked, deps.readToken()) });
    } catch (error) {
      if (!(error instanceof FossickError) || error.status !== 401) throw error;
      if (deps.countSignIns() === signIns) {
        await deps.signIn().catch((reason: unknown) => {
          throw reason === NOBODY ? error : reason;
        });
      }
      asked.signal?.throwIfAborted();
    }
  }
}

function sentOf(
  { query = {}, body, ifMatch, accept, signal }: Asked,
  token: string | undefined,
): Omit<Sent, 'method' | 'path'> {
  return {
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
    ),
    body,
    signal,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(accept !== undefined && { accept }),
    },
  };
}

async function readAnswer<Body>(response: Response): Promise<Answered<Body>> {
  const etag = response.headers.get('etag') ?? undefined;
  if (response.status === 204) return { body: undefined as Body, etag };
  const text = await response.text().catch((cause: unknown) => {
    throw new FossickError('The answer broke off', { status: 0, errorCode: 'connection.failed', cause });
  });
  try {
    return { body: JSON.parse(text), etag };
  } catch (cause) {
    throw new FossickError('The answer is not JSON', { status: response.status, errorCode: 'answer.foreign', cause });
  }
}
