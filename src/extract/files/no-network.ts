/**
 * Loaded into a parser child before any parser: Node's permission model covers files, processes and addons, not
 * sockets.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';

function refuse(): never {
  throw new Error('The network is closed to parsers');
}

const CLOSED: readonly (readonly [object, readonly string[]])[] = [
  [net, ['connect', 'createConnection', 'createServer']],
  [net.Socket.prototype, ['connect']],
  [net.Server.prototype, ['listen']],
  [tls, ['connect', 'createServer']],
  [http, ['request', 'get', 'createServer']],
  [https, ['request', 'get', 'createServer']],
  [http2, ['connect', 'createServer', 'createSecureServer']],
  [dgram, ['createSocket']],
  [dns, ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse']],
  [dns.promises, ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse']],
];
for (const [target, names] of CLOSED) {
  for (const name of names) Object.defineProperty(target, name, { value: refuse, configurable: false });
}
syncBuiltinESMExports();
for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
