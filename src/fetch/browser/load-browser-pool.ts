import { createRequire } from 'node:module';
import { Server } from 'node:net';
import type * as browserPool from '@crawlee/browser-pool';

/**
 * Crawlee's pool of browsers, without what loading it does to a process: its 3.18.1 opens a forward proxy without
 * credentials on all interfaces, which leads past the egress gate, and takes over signals and the end of the process.
 * Synchronous, so that nothing else in the process asks for a port meanwhile. The first call takes some 300 ms and
 * 25 MB.
 */
export function loadBrowserPool(): typeof browserPool {
  using _ports = refusePorts();
  using _process = keepProcess();
  return createRequire(import.meta.url)('@crawlee/browser-pool');
}

function refusePorts(): Disposable {
  const { listen } = Server.prototype;
  Server.prototype.listen = () => {
    throw new Error('a package asks for a port while it is loaded');
  };
  return {
    [Symbol.dispose]: () => {
      Server.prototype.listen = listen;
    },
  };
}

/** Listeners and replaced methods of the process are taken off again. */
function keepProcess(): Disposable {
  const listenersBefore = new Set(allListeners().map(([, listener]) => listener));
  const methods = ['emit', 'reallyExit'].map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  return {
    [Symbol.dispose]: () => {
      for (const [name, before] of methods) {
        if (before === undefined) Reflect.deleteProperty(process, name);
        else Object.defineProperty(process, name, before);
      }
      for (const [event, listener] of allListeners()) {
        if (!listenersBefore.has(listener)) process.removeListener(event, listener);
      }
    },
  };
}

type Listener = (...args: unknown[]) => void;

function allListeners(): readonly (readonly [event: string | symbol, listener: Listener])[] {
  const emitter: NodeJS.EventEmitter = process;
  return emitter
    .eventNames()
    .flatMap((event) => emitter.rawListeners(event).map((listener) => [event, listener as Listener] as const));
}
