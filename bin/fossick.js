#!/usr/bin/env node
/** Hands over to src/cli/main.ts, with the Node of this installation when the present one is too old for it. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const LEAST_NODE = [24, 12];

// `fossick … | head` closes the pipe: what is left has no reader.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const self = fileURLToPath(import.meta.url);
const ownNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
/** Compiled code is kept beside the packages, where whoever runs it may write: a command takes half the processor time. */
const compileCache = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));

if (isNewEnough(process.versions.node)) {
  module.enableCompileCache(compileCache);
  const { loadEnvironmentFile } = await import('../src/config/environment.ts');
  const { main } = await import('../src/cli/main.ts');
  loadEnvironmentFile(process.cwd());
  process.exitCode = await main({
    args: process.argv.slice(2),
    environment: process.env,
    folder: process.cwd(),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: process.stdout.isTTY ? { columns: () => process.stdout.columns || 80 } : undefined,
    input: () => process.stdin,
    interruption,
  });
} else if (existsSync(ownNode)) {
  // Ctrl-C is for the command, whose end this one waits for.
  process.on('SIGINT', () => {});
  process.exitCode = spawnSync(ownNode, [self, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write(`fossick: Node ${LEAST_NODE.join('.')} or later is needed: run npm run setup\n`);
  process.exitCode = 1;
}

/** The first Ctrl-C is told to the command, a second one ends it. */
function interruption() {
  const interrupting = new AbortController();
  process.once('SIGINT', () => interrupting.abort());
  return interrupting.signal;
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
}
