import { readFileSync } from 'node:fs';

/** Kernel clock ticks per second of every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** CPU milliseconds that a process has used so far, threads included (Linux). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000;
}

/** Resident megabytes of a process (Linux). */
export function residentMegabytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * PAGE_BYTES) / 1_048_576;
}

/** CPU milliseconds that a synchronous or asynchronous piece of work costs in this process. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
