import { AppError, type ErrorCode, type Problem } from '../core/errors.ts';

const TIMEOUT_MS = 120_000;

/** Codes by status; any other status is a failure of the server. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'request.invalid',
  401: 'auth.invalid',
  403: 'auth.forbidden',
  404: 'record.not-found',
  405: 'request.wrong-method',
  409: 'record.conflict',
  412: 'record.changed',
  413: 'request.too-large',
  415: 'request.unsupported-type',
  429: 'rate.exceeded',
};

type Body = Readonly<Record<string, unknown>>;

export type ServerEvent = { readonly name: string; readonly data: Body };

export type Client = {
  /** Calls the admin API; resolves with the body, `{}` when there is none. */
  admin(method: string, path: string, body?: unknown): Promise<Body>;
  /** A record of the admin API with the tag of its state. */
  tagged(path: string): Promise<{ readonly record: Body; readonly tag: string | undefined }>;
  /** Changes a record; with a tag only while it is in that state. @throws AppError `record.changed` when it is not */
  patch(path: string, body: unknown, tag: string | undefined): Promise<Body>;
  /** All pages of an admin list. */
  list(path: string): Promise<readonly Body[]>;
  /** Events of the admin API as they come, until their end or the signal. */
  events(path: string, signal: AbortSignal): AsyncIterable<ServerEvent>;
  /** Hands on an answer of the admin API that is no JSON, piece by piece. */
  copy(path: string, out: (text: string) => void): Promise<void>;
  /** Where the admin API is. */
  readonly adminUrl: string;
  /** Where the public API is. */
  readonly publicUrl: string;
  /** Text of the public API as it is written. */
  stream(path: string, options: { readonly authorization: string; readonly body: unknown }): AsyncIterable<string>;
  /** Calls the public API with the value of `Authorization`. */
  open(
    method: string,
    path: string,
    options: { readonly authorization: string; readonly body?: unknown },
  ): Promise<unknown>;
};

/** What `--url` says, without a slash at its end. @throws AppError `request.invalid` */
export function baseAddress(url: string): string {
  const read = URL.parse(url);
  if (read !== null && ['http:', 'https:'].includes(read.protocol)) return url.replace(/\/+$/, '');
  throw new AppError('request.invalid', `--url must be an address such as http://127.0.0.1:8080, not ${url}`);
}

/** The public key of an engine as `Authorization` takes it. Contract: 1.6. */
export function siteKeyOf(customerId: unknown, engineId: number): string {
  return `SiteKey ${Buffer.from(`${customerId}:${engineId}:SearchKey`).toString('base64')}`;
}

export type ClientOptions = {
  /** Where the admin API is. */
  readonly url: string;
  /** Where the public API is, when that is elsewhere. */
  readonly publicUrl?: string;
  readonly token: string;
  /** What to do when the token is refused, in one sentence. */
  readonly whenRefused: string;
};

/** @throws AppError from every call: of the status, or `internal` when nobody answers */
export function createClient({ url, publicUrl = url, token, whenRefused }: ClientOptions): Client {
  const ask = async (path: string, request: Pick<Sent, 'method' | 'body' | 'tag'>) => {
    const sent = { url: `${url}/admin/v1${path}`, authorization: `Bearer ${token}`, ...request };
    const { body, tag } = await send(sent).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'auth.invalid') throw error;
      throw new AppError('auth.invalid', `${error.message}\nNext: ${whenRefused}`, { cause: error });
    });
    return { record: body as Body, tag };
  };
  const admin: Client['admin'] = async (method, path, body) => (await ask(path, { method, body })).record;
  return {
    admin,
    tagged: (path) => ask(path, { method: 'GET', body: undefined }),
    patch: async (path, body, tag) => (await ask(path, { method: 'PATCH', body, tag })).record,
    list: async (path) => {
      const items: Body[] = [];
      let next: unknown = 0;
      while (typeof next === 'number') {
        const page = await admin('GET', `${path}${path.includes('?') ? '&' : '?'}limit=1000&after=${next}`);
        items.push(...(page['items'] as Body[]));
        next = page['next'];
      }
      return items;
    },
    events: (path, signal) => readEvents({ url: `${url}/admin/v1${path}`, authorization: `Bearer ${token}` }, signal),
    copy: async (path, out) => {
      for await (const piece of openText({ url: `${url}/admin/v1${path}`, authorization: `Bearer ${token}` }))
        out(piece);
    },
    adminUrl: url,
    publicUrl,
    stream: (path, sent) => openText({ url: `${publicUrl}${path}`, ...sent }),
    open: async (method, path, { authorization, body }) =>
      (await send({ url: `${publicUrl}${path}`, method, authorization, body })).body,
  };
}

export type Posted = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
};

/** What came back, whatever its status. */
export type PostAnswer = { readonly status: number; readonly type: string; readonly text: string };

/** Sends a text and reads the whole answer. @throws AppError `internal` when nobody answers */
export async function postText({ url, headers, body, signal }: Posted): Promise<PostAnswer> {
  const answer = await fetch(url, { method: 'POST', headers, body, signal }).catch((cause: unknown) =>
    nobody(url, cause),
  );
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
}

type Sent = {
  readonly url: string;
  readonly method: string;
  readonly authorization: string;
  readonly body: unknown;
  /** Of the state of a record that the request is for. */
  readonly tag?: string | undefined;
};

type Received = { readonly body: unknown; readonly tag: string | undefined };

async function send({ url, method, authorization, body, tag }: Sent): Promise<Received> {
  const headers = {
    authorization,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(tag !== undefined && { 'if-match': tag }),
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const answer = await fetch(url, sent).catch((cause: unknown) => nobody(url, cause));
  const read = parsed(await answer.text(), url);
  if (answer.ok) return { body: read, tag: answer.headers.get('etag') ?? undefined };
  throw failureOf(answer, read);
}

function nobody(url: string, cause: unknown): never {
  const { origin } = new URL(url);
  const message = `Nobody answers at ${origin}: start the product with npm start, or name its address with --url`;
  throw new AppError('internal', message, { cause });
}

function failureOf(answer: Response, read: unknown): AppError {
  const {
    message = `The server answered ${answer.status}`,
    errors,
    errorCode,
  } = read as {
    readonly message?: string;
    readonly errors?: readonly Problem[];
    readonly errorCode?: string;
  };
  // What a file manages is mended in another way than what is in conflict with something.
  const code = errorCode === 'record.managed' ? errorCode : (CODES[answer.status] ?? 'internal');
  return new AppError(code, message, { ...(errors && { problems: errors }) });
}

/** With a body it is sent by POST. */
type ClientRequest = { readonly url: string; readonly authorization: string; readonly body?: unknown };

async function* openText({ url, authorization, body }: ClientRequest, signal?: AbortSignal): AsyncGenerator<string> {
  const hasBody = body !== undefined;
  const headers = { authorization, ...(hasBody && { 'content-type': 'application/json' }) };
  const sent = { headers, ...(hasBody && { method: 'POST', body: JSON.stringify(body) }), ...(signal && { signal }) };
  const answer = await fetch(url, sent).catch((cause: unknown) => nobody(url, cause));
  if (!answer.ok) throw failureOf(answer, parsed(await answer.text(), url));
  if (answer.body !== null) yield* answer.body.pipeThrough(new TextDecoderStream());
}

/** `text/event-stream` of the WHATWG HTML standard, without ids and comments. */
async function* readEvents(request: ClientRequest, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  let text = '';
  for await (const piece of openText(request, signal)) {
    const blocks = (text + piece).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block, request.url);
      if (event !== undefined) yield event;
    }
  }
}

function eventOf(block: string, url: string): ServerEvent | undefined {
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (data === undefined) return undefined;
  return { name: /^event: (.*)$/m.exec(block)?.[1] ?? 'message', data: parsed(data, url) as Body };
}

function parsed(text: string, url: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('internal', `What answers at ${new URL(url).origin} is no Fossick: check --url`, { cause });
  }
}
