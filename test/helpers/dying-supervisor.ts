import { fork } from 'node:child_process';

/** Starts a role as the supervisor does, tells its pid, and waits for its own death. */
const [file = ''] = process.argv.slice(2);
const child = fork(file, {
  env: { ...process.env, FOSSICK_INSTANCE: `upkeep.${process.pid}` },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
process.send?.(child.pid);
