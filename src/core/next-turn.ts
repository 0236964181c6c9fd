type Resolve = () => void;
type Slices = {
  /** First come, first served within a list; the lists one after the other. */
  readonly lists: readonly Resolve[][];
  /** So many go on in one turn, each when what the one before does at once is done. */
  readonly perTurn: number;
  isAsked: boolean;
};

const waiting: Resolve[] = [];
const patient: Resolve[] = [];
const small: Resolve[] = [];
const slices: Slices = { lists: [waiting, patient], perTurn: 1, isAsked: false };
/** A piece of a model's text takes its client 0.25 ms, a request 0.3 ms: 2 ms in all. */
const smallSlices: Slices = { lists: [small], perTurn: 8, isAsked: false };

/**
 * Resolves in a later turn of the event loop, one caller per turn: work in slices that many do at the same time holds
 * the loop for one slice, not for one of each.
 */
export function nextTurn(): Promise<void> {
  return turnOf(slices, waiting);
}

/** The same behind all who ask for the next turn: for slices of work that lasts longer than that of others. */
export function laterTurn(): Promise<void> {
  return turnOf(slices, patient);
}

/**
 * Beside both, eight callers per turn: for slices of a fraction of a millisecond, which may come by hundreds at the same
 * moment and neither hold up the others nor wait behind them.
 */
export function smallTurn(): Promise<void> {
  return turnOf(smallSlices, small);
}

/** Counts what is done, in any unit, and waits for a later turn whenever `perTurn` of it was done in this one. */
export function laterTurnEvery(perTurn: number): (amount: number) => Promise<void> {
  let done = 0;
  return async (amount) => {
    done += amount;
    if (done < perTurn) return;
    done = 0;
    await laterTurn();
  };
}

/** Waits for a later turn whenever so many milliseconds have gone by since it last did. */
export function laterTurnAfter(sliceMs: number): () => Promise<void> {
  let sliceAt = performance.now();
  return async () => {
    if (performance.now() - sliceAt < sliceMs) return;
    await laterTurn();
    sliceAt = performance.now();
  };
}

function turnOf(kind: Slices, list: Resolve[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  list.push(resolve);
  if (!kind.isAsked) askFor(kind);
  return promise;
}

/** An immediate that is asked for within an immediate comes in the turn after. */
function askFor(kind: Slices): void {
  const left = kind.lists.reduce((sum, { length }) => sum + length, 0);
  const admitted = Math.min(left, kind.perTurn);
  kind.isAsked = admitted > 0;
  for (let place = 1; place <= admitted; place++) {
    setImmediate(() => {
      admit(kind);
      if (place === admitted) askFor(kind);
    });
  }
}

function admit({ lists }: Slices): void {
  lists.find(({ length }) => length > 0)?.shift()?.();
}
