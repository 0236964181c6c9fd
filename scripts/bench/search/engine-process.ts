import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isLucene, luceneCommand } from './lucene.ts';
import type { FromPeer, ToPeer } from './peer-messages.ts';

const PROCESS_FILE = fileURLToPath(new URL('./peer-process.ts', import.meta.url));

/** A process that answers requests one after the other, whatever it is written in. */
export type EngineProcess = {
  readonly child: ChildProcess;
  send(request: ToPeer): void;
  /** Hands each answer on; gives what ends that. */
  listen(take: (answer: FromPeer) => void): () => void;
};

/** Starts the process of an engine; `heapMb` bounds the heap of its language. */
export function startEngineProcess(name: string, heapMb: number): EngineProcess {
  return isLucene(name) ? startJava(name, heapMb) : startNode(name, heapMb);
}

function startNode(name: string, heapMb: number): EngineProcess {
  const child = fork(PROCESS_FILE, [name], {
    execArgv: ['--no-warnings', '--expose-gc', `--max-old-space-size=${heapMb}`],
  });
  return {
    child,
    send: (request) => child.send(request),
    listen(take) {
      child.on('message', take);
      return () => child.off('message', take);
    },
  };
}

/** Requests and answers are lines of JSON. */
function startJava(name: string, heapMb: number): EngineProcess {
  const { file, options } = luceneCommand(name, heapMb);
  const child = spawn(file, options, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  return {
    child,
    send: (request) => child.stdin.write(`${JSON.stringify(request)}\n`),
    listen(take) {
      const onLine = (line: string) => take(JSON.parse(line) as FromPeer);
      lines.on('line', onLine);
      return () => lines.off('line', onLine);
    },
  };
}
