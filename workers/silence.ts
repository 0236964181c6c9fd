import { readFileSync } from 'node:fs';

/** Processor time that a silent child may use: its event loop has not turned for so long, however slow the machine is. */
const HUNG_AFTER_CPU_MS = { starting: 120_000, running: 30_000 } as const;
/** Looks, one a second, at which a silent child is asleep or stopped. A child that waits for the processor is neither. */
const ASLEEP_LOOKS = 30;
/** Looks where the system tells nothing of its processes. */
const UNKNOWN_LOOKS = 300;
/** Of the kernel's clock, `getconf CLK_TCK`: 100 on every platform of Linux that Node runs on. */
const MS_PER_TICK = 10;

/** What the system tells of the main thread of a process. */
export type ThreadState = {
  /** Sleeping or stopped: it neither runs, nor waits for the processor or for a disk. */
  readonly isAsleep: boolean;
  readonly cpuMs: number;
};

export type SilenceWatch = {
  /** The child has sent a heartbeat, which only a turning event loop does. */
  heard(): void;
  /** Call it once a second. Why the child has to be killed; undefined while it may be well. */
  look(): string | undefined;
};

/**
 * Tells a child that hangs from one that is slow. Silence alone says nothing on a machine that is short of processor
 * time; a main thread that used 30 s of it without one heartbeat, or that was asleep at 30 looks, will not come back.
 * Looks are counted, not seconds: a supervisor that was frozen itself blames nobody. Cost: one small file of `/proc`
 * per second and silent child.
 */
export function watchSilence(pid: number, read: (pid: number) => ThreadState | undefined = readThread): SilenceWatch {
  let hungAfterMs: number = HUNG_AFTER_CPU_MS.starting;
  let looks = 0;
  let asleep = 0;
  let cpuMsWhenHeard: number | undefined;
  return {
    heard: () => {
      hungAfterMs = HUNG_AFTER_CPU_MS.running;
      looks = 0;
      asleep = 0;
      cpuMsWhenHeard = undefined;
    },
    look: () => {
      looks++;
      const thread = read(pid);
      if (thread === undefined) return looks > UNKNOWN_LOOKS ? `nothing was heard of it at ${looks} looks` : undefined;
      cpuMsWhenHeard ??= thread.cpuMs;
      if (thread.isAsleep) asleep++;
      const usedMs = thread.cpuMs - cpuMsWhenHeard;
      if (usedMs >= hungAfterMs)
        return `its event loop did not turn in ${Math.round(usedMs / 1_000)} s of processor time`;
      return asleep > ASLEEP_LOOKS ? `it was asleep or stopped at ${asleep} looks and sent nothing` : undefined;
    },
  };
}

/** Undefined on systems without `/proc`, and when the process has ended. */
function readThread(pid: number): ThreadState | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold anything.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const [state = ''] = fields;
    return { isAsleep: /[STt]/.test(state), cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK };
  } catch {
    return undefined;
  }
}
