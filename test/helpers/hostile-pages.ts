import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  badCharset,
  brokenHttp,
  dropped,
  gzipBomb,
  halfBody,
  openChunks,
  type Route,
  redirectTo,
  silent,
  stalled,
} from './site-server.ts';

export type HostilePage = {
  readonly path: string;
  readonly route: Route;
  /** Reasons that the visit log may give. */
  readonly reasons: readonly string[];
  /** The crawler slows down for its host, as it should: keep it away from hosts that a test waits for. */
  readonly isStrain?: boolean;
};

/** Chunks until the client has enough. */
function pour(chunk: () => string | Uint8Array, headers: Record<string, string> = {}): Route {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers });
    const write = () => {
      while (!response.destroyed) if (!response.write(chunk())) return;
    };
    response.on('drain', write);
    write();
  };
}

/** A byte at a time, so that no pause is long. */
const drip: Route = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  every(response, 20, () => response.write('a'));
};

/** Headers a byte at a time. */
const dripHeaders: Route = (request, response) => {
  const { socket } = request;
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  every(response, 20, () => socket.write('a'));
};

function every(response: ServerResponse, ms: number, work: () => void): void {
  const timer = setInterval(work, ms);
  response.on('close', () => clearInterval(timer));
}

const chain: Route = (request, response) => {
  const step = Number(new URL(request.url ?? '', 'http://x').searchParams.get('n') ?? 0);
  response.writeHead(302, { location: `/chain?n=${step + 1}` }).end();
};

const KIB = 'x'.repeat(1_024);
const html = (body: string | Uint8Array) => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body });
const encoded = (coding: string, body: Uint8Array): Route => ({ headers: { 'content-encoding': coding }, body });
const deep = `<title>Deep</title>${'<div>'.repeat(100_000)}`;

/** Pages that a crawler meets at its worst; the site that serves them stays up. */
export const HOSTILE_PAGES: readonly HostilePage[] = [
  { path: '/endless', route: pour(() => KIB.repeat(64)), reasons: ['too-large', 'timeout'], isStrain: true },
  {
    path: '/endless-file',
    route: pour(() => `%PDF-1.7${KIB.repeat(64)}`),
    reasons: ['too-large', 'timeout'],
    isStrain: true,
  },
  { path: '/announced', route: { headers: { 'content-length': '90000000000' } }, reasons: ['too-large', 'truncated'] },
  { path: '/bomb', route: gzipBomb(64 * 1024 * 1024), reasons: ['bomb', 'too-large'] },
  {
    path: '/bomb-in-bomb',
    route: encoded('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)))),
    reasons: ['bomb', 'too-large'],
  },
  { path: '/three-layers', route: encoded('gzip, gzip, gzip', Buffer.from('x')), reasons: ['bad-encoding'] },
  { path: '/no-gzip', route: encoded('gzip', Buffer.from('this is no gzip')), reasons: ['bad-encoding'] },
  { path: '/cut-gzip', route: encoded('gzip', gzipSync(KIB.repeat(9)).subarray(0, 30)), reasons: ['truncated'] },
  { path: '/loop', route: redirectTo('/loop'), reasons: ['redirect-loop'] },
  { path: '/loop-a', route: redirectTo('/loop-b', 301), reasons: ['redirect-loop'] },
  { path: '/loop-b', route: redirectTo('/loop-a', 301), reasons: ['redirect-loop'] },
  { path: '/chain', route: chain, reasons: ['too-many-redirects'] },
  { path: '/nowhere', route: redirectTo('http://[broken'), reasons: ['protocol'] },
  { path: '/to-mail', route: redirectTo('mailto:a@b.example'), reasons: ['redirected-out', 'scheme'] },
  { path: '/silent', route: silent, reasons: ['timeout'], isStrain: true },
  { path: '/stalled', route: stalled, reasons: ['timeout'], isStrain: true },
  { path: '/drip', route: drip, reasons: ['timeout'], isStrain: true },
  { path: '/drip-headers', route: dripHeaders, reasons: ['timeout'], isStrain: true },
  { path: '/dropped', route: dropped, reasons: ['reset'] },
  { path: '/half', route: halfBody, reasons: ['truncated'] },
  { path: '/open-chunks', route: openChunks, reasons: ['truncated'] },
  { path: '/no-http', route: brokenHttp, reasons: ['protocol'] },
  { path: '/header-flood', route: { headers: { 'x-long': 'x'.repeat(70_000) } }, reasons: ['too-large'] },
  {
    path: '/cookie-flood',
    route: {
      headers: { 'set-cookie': Array.from({ length: 400 }, (_, i) => `c${i}=${'v'.repeat(40)}`) },
      body: '<p>x',
    },
    reasons: ['new', 'empty', 'thin'],
  },
  { path: '/error', route: { status: 500, body: 'oops' }, reasons: ['server-error'], isStrain: true },
  { path: '/teapot', route: { status: 418, body: 'no' }, reasons: ['client-error'] },
  { path: '/forbidden', route: { status: 403, body: 'no' }, reasons: ['forbidden'] },
  { path: '/noise', route: html(randomBytes(50_000)), reasons: ['unsupported-type', 'empty', 'new', 'thin'] },
  {
    path: '/image',
    route: { headers: { 'content-type': 'image/png' }, body: randomBytes(5_000) },
    reasons: ['unsupported-type'],
  },
  {
    path: '/no-pdf',
    route: { headers: { 'content-type': 'application/pdf' }, body: randomBytes(5_000) },
    reasons: ['unsupported-type', 'malformed'],
  },
  { path: '/nothing', route: html(''), reasons: ['empty', 'new'] },
  { path: '/deep', route: html(deep), reasons: ['new', 'empty', 'thin'] },
  {
    path: '/charset',
    route: badCharset('<title>Gr\xfc\xdfe</title><p>Gr\xfc\xdfe aus M\xfcnchen'),
    reasons: ['new', 'thin'],
  },
  {
    path: '/no-charset',
    route: { headers: { 'content-type': 'text/html; charset=klingon-1' }, body: '<title>K</title><p>Text of a page.' },
    reasons: ['new', 'thin'],
  },
];

/** Tried again in the same run after 30 s and more. */
export function isRetried({ reasons }: HostilePage): boolean {
  return reasons.some((reason) => RETRIED.has(reason));
}

const RETRIED = new Set(['reset', 'truncated', 'protocol', 'server-error', 'timeout', 'forbidden']);

export function routesOf(pages: readonly HostilePage[]): Readonly<Record<string, Route>> {
  return Object.fromEntries(pages.map(({ path, route }) => [path, route]));
}

/** For a test that cannot wait as long as a real crawler does. */
export const SHORT_TIMEOUTS = { connectMs: 2_000, firstByteMs: 3_000, pageMs: 3_500, fileMs: 4_000 };
