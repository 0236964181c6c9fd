import type { ChildProcess } from 'node:child_process';
import { residentBytes, startParserProcess } from './parser-process.ts';

const IDLE_MS = 60_000;
const FILES_PER_CHILD = 200;
const LEFT_OVER_BYTES = 256 * 1024 * 1024;

/** A child in use. `files` it has read so far. */
export type TakenChild = { readonly child: ChildProcess; readonly files: number };

export type ParserChildren = AsyncDisposable & {
  /** One that waits for work, else a new one. Caller gives it back, or lets it go when it has ended. */
  readonly take: () => Promise<TakenChild>;
  readonly giveBack: (taken: TakenChild) => Promise<void>;
  readonly letGo: (taken: TakenChild) => void;
};

/**
 * Children that read files: started on first use, ended after 60 s without work, replaced after 200 files or when a
 * file left more than 256 MiB resident. Dispose it to end all of them.
 */
export function createParserChildren(): ParserChildren {
  const idle: (TakenChild & { readonly timer: NodeJS.Timeout })[] = [];
  const taken = new Set<ChildProcess>();

  const takeIdle = () => {
    for (let held = idle.pop(); held !== undefined; held = idle.pop()) {
      clearTimeout(held.timer);
      if (held.child.connected) return { child: held.child, files: held.files };
    }
    return undefined;
  };
  const keep = ({ child, files }: TakenChild) => {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((held) => held.child === child),
        1,
      );
      child.kill('SIGKILL');
    }, IDLE_MS);
    timer.unref();
    child.unref();
    idle.push({ child, files, timer });
  };
  return {
    async take() {
      const held = takeIdle() ?? { child: await startParserProcess(), files: 0 };
      taken.add(held.child);
      return held;
    },
    async giveBack({ child, files }) {
      const isWorn = files + 1 >= FILES_PER_CHILD || (await residentBytes(child.pid)) > LEFT_OVER_BYTES;
      taken.delete(child);
      if (isWorn) child.kill('SIGKILL');
      else keep({ child, files: files + 1 });
    },
    letGo({ child }) {
      taken.delete(child);
    },
    async [Symbol.asyncDispose]() {
      const children = [...taken, ...idle.map(({ child }) => child)];
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all(children.map(endChild));
    },
  };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
