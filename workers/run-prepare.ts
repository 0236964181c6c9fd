import { fork } from 'node:child_process';
import type { Beginning } from '../src/compose/installation.ts';

/** To `prepare.ts`: make everything before the roles start, and then show where a newcomer begins, which is the last. */
export type PrepareRequest =
  | { readonly step: 'prepare' }
  | { readonly step: 'open'; readonly address: string; readonly site: string | undefined };

export type PrepareReply =
  | { readonly type: 'done'; readonly beginning: Beginning | undefined }
  | { readonly type: 'failed'; readonly message: string };

/** Runs one step after the other. @throws Error with what the operator can do */
export type RunPrepare = (request: PrepareRequest) => Promise<Beginning | undefined>;

/** Starts the process of all steps, whose modules take most of the time of each; it ends with this one at the latest. */
export function startPrepare(env: Readonly<Record<string, string>>): RunPrepare {
  const child = fork(new URL('./prepare.ts', import.meta.url), { env: { ...process.env, ...env } });
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`preparing ended with code ${code}`)));
  });
  ended.catch(() => undefined);
  return (request) => {
    const replied = new Promise<Beginning | undefined>((resolve, reject) => {
      child.once('message', (reply: PrepareReply) => {
        if (reply.type === 'done') resolve(reply.beginning);
        else reject(new Error(reply.message));
      });
    });
    // One that has ended hears nothing, which its end tells.
    child.send(request, () => undefined);
    return Promise.race([replied, ended]);
  };
}
