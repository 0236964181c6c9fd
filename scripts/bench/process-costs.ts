import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks per second of every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU milliseconds that a process has used so far, threads included (Linux). */
export function cpuMs(pid: number): number {
  return ticksMs(pid, 11);
}

/** CPU milliseconds of the children of a process that have ended and were waited for, with those of theirs (Linux). */
export function childrenCpuMs(pid: number): number {
  return ticksMs(pid, 13);
}

/** Of a server and its processes, those that have ended as well (Linux). */
export function serverCpuMs(serverPid: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const living = pids.reduce((sum, pid) => sum + cpuMsOfChild(Number(pid), serverPid), 0);
  return cpuMs(serverPid) + childrenCpuMs(serverPid) + living;
}

/** 0 for a process of another parent, and for one that has just ended: what that used is its parent's then (Linux). */
function cpuMsOfChild(pid: number, parent: number): number {
  try {
    return Number(fieldsOf(pid)[1]) === parent ? cpuMs(pid) : 0;
  } catch {
    return 0;
  }
}

function fieldsOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** User and system time, which stand beside each other. */
function ticksMs(pid: number, place: number): number {
  const fields = fieldsOf(pid);
  return ((Number(fields[place]) + Number(fields[place + 1])) / TICKS_PER_SECOND) * 1_000;
}

/** Whether a child has not ended: one that nobody asked about yet is only listed (Linux). */
export function isRunning(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat[stat.lastIndexOf(')') + 2] !== 'Z';
}

/** Memory of a process in MB: resident, and its share when pages that processes have in common count once (Linux). */
export function memoryOf(pid: number): { readonly resident: number; readonly share: number } {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1_000;
  return { resident: megabytes('Rss'), share: megabytes('Pss') };
}

/** CPU milliseconds that a synchronous or asynchronous piece of work costs in this process. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
