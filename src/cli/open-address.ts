import { spawn } from 'node:child_process';

/** What opens an address on the desktop of each platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  win32: ['explorer.exe'],
};

/** Opens an http address in the browser of the desktop, if there is one; nobody waits for it. */
export function openAddress(address: string): void {
  const [command, ...words] = OPENERS[process.platform] ?? [];
  if (command === undefined) return;
  const opened = spawn(command, [...words, new URL(address).href], { stdio: 'ignore', detached: true });
  // A machine without a desktop has been shown the address.
  opened.on('error', () => undefined);
  opened.unref();
}
