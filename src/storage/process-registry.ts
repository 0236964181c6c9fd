/** Where processes share a data folder. `id`: of the folder, made with it; `host`: for people. */
export type Machine = { readonly id: string; readonly host: string };

/** The machine of an installation that has only one. */
export function soleMachine(host: string): Machine {
  return { id: 'local', host };
}

export type EnteringProcess = {
  /** Of its machine: `crawl-1`. */
  readonly name: string;
  /** Whether it keeps the index of its machine up to date. */
  readonly writesIndex?: boolean;
  /** Whether it uses a Redis that no other machine reaches. */
  readonly hasOwnRedis?: boolean;
  /** Asked at each sign of life: the servers that the process cannot reach (`redis`). */
  readonly misses?: () => readonly string[];
};

/** A process that lives, as every other of its installation sees it. */
export type LivingProcess = {
  /** Names it in leases: no other living process of the installation has it. */
  readonly holder: string;
  readonly name: string;
  readonly machine: Machine;
  readonly hasOwnRedis: boolean;
  readonly misses: readonly string[];
};

/** The right to act under a name, until it is disposed. */
export type OwnProcess = AsyncDisposable & {
  readonly holder: string;
  /** False before any other process may take this one for dead: who acts as a holder asks before what it publishes. */
  isTrusted(): boolean;
};

/**
 * Port: which processes of an installation live, who are the holders of its leases. Promises:
 * 1. a process is alive to all others from the end of `enter` until it is disposed, or ends in whatever way;
 * 2. of one that was killed that is known at once on its machine, and on any other within 20 s;
 * 3. a name belongs to one living process of a machine, and the name of a holder to one of the installation;
 * 4. the clocks of machines are never compared;
 * 5. what cannot be decided counts as alive, and who never entered is not;
 * 6. a process that cannot show that it lives is not trusted any more before others take it for dead.
 */
export interface ProcessRegistry {
  /** That of this process. */
  readonly machine: Machine;
  /** @throws Error that says what to do when a living process has the name, or nothing can be written */
  enter(process: EnteringProcess): Promise<OwnProcess>;
  isAlive(holder: string): Promise<boolean>;
  /** By holder. */
  living(): Promise<readonly LivingProcess[]>;
}

/** Whether a process is the first of its role in the installation: one of several that speaks for all. */
export async function isFirstOfRole(
  registry: Pick<ProcessRegistry, 'living'>,
  role: string,
  holder: string,
): Promise<boolean> {
  const first = (await registry.living()).find(({ name }) => name.startsWith(role));
  return first === undefined || first.holder === holder;
}
