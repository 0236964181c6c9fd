import { fork } from 'node:child_process';
import type { openInstallation } from '../src/compose/installation.ts';

export type Beginning = Awaited<ReturnType<typeof openInstallation>>;

/** To `prepare.ts`: make everything before the roles start, or show where a newcomer begins. */
export type PrepareRequest =
  | { readonly step: 'prepare' }
  | { readonly step: 'open'; readonly address: string; readonly site: string | undefined };

export type PrepareReply =
  | { readonly type: 'done'; readonly beginning: Beginning }
  | { readonly type: 'failed'; readonly message: string };

/** Runs one step in a process of its own. @throws Error with what the operator can do */
export function runPrepare(request: PrepareRequest, env: Readonly<Record<string, string>>): Promise<Beginning> {
  const child = fork(new URL('./prepare.ts', import.meta.url), { env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    let reply: PrepareReply | undefined;
    child.once('message', (message: PrepareReply) => {
      reply = message;
    });
    child.once('exit', (code) => {
      if (reply?.type === 'done') resolve(reply.beginning);
      else reject(new Error(reply?.message ?? `preparing ended with code ${code}`));
    });
    child.send(request);
  });
}
