type Resolve = () => void;
type List = { readonly length: number; shift(): Resolve | undefined };
type Slices = {
  /** The lists one after the other; within a list first come, first served, and in turns where it has owners. */
  readonly lists: readonly List[];
  /** So many go on in one turn, each when what the one before does at once is done. */
  readonly perYield: number;
  isAsked: boolean;
};

/** Who waits, by the engine that it is for: engines take turns, so that none waits for all of another's. */
class ListOfEngines implements List {
  readonly #byEngine = new Map<number, Resolve[]>();
  length = 0;

  push(engineId: number, resolve: Resolve): void {
    const own = this.#byEngine.get(engineId);
    if (own === undefined) this.#byEngine.set(engineId, [resolve]);
    else own.push(resolve);
    this.length++;
  }

  shift(): Resolve | undefined {
    const [next] = this.#byEngine;
    if (next === undefined) return undefined;
    const [engineId, own] = next;
    const resolve = own.shift();
    this.#byEngine.delete(engineId);
    if (own.length > 0) this.#byEngine.set(engineId, own);
    this.length--;
    return resolve;
  }
}

/** Of work that is for no engine, or for all. */
const NO_ENGINE = 0;

const waiting: Resolve[] = [];
const background = new ListOfEngines();
const small: Resolve[] = [];
const slices: Slices = { lists: [waiting, background], perYield: 1, isAsked: false };
/** A piece of a model's text takes its client 0.25 ms, a request 0.3 ms: 2 ms in all. */
const smallSlices: Slices = { lists: [small], perYield: 8, isAsked: false };

/**
 * Resolves in a later turn of the event loop, one caller per turn: work in slices that many do at the same time holds
 * the loop for one slice, not for one of each.
 */
export function yieldToEventLoop(): Promise<void> {
  return yieldOf(slices, (resolve) => waiting.push(resolve));
}

/** The same behind all who ask for the next turn: for slices of work that lasts longer than that of others. */
export function yieldInBackground(engineId = NO_ENGINE): Promise<void> {
  return yieldOf(slices, (resolve) => background.push(engineId, resolve));
}

/**
 * Beside both, eight callers per turn: for slices of a fraction of a millisecond, which may come by hundreds at the same
 * moment and neither hold up the others nor wait behind them.
 */
export function yieldBriefly(): Promise<void> {
  return yieldOf(smallSlices, (resolve) => small.push(resolve));
}

/** Counts what is done, in any unit, and waits for a later turn whenever `perYield` of it was done in this one. */
export function yieldInBackgroundEvery(perYield: number): (amount: number) => Promise<void> {
  let done = 0;
  return async (amount) => {
    done += amount;
    if (done < perYield) return;
    done = 0;
    await yieldInBackground();
  };
}

/** Waits for a later turn, of its engine where it is one's, whenever so many milliseconds have gone by since it last did. */
export function yieldInBackgroundAfter(sliceMs: number, engineId = NO_ENGINE): () => Promise<void> {
  let sliceAt = performance.now();
  return async () => {
    if (performance.now() - sliceAt < sliceMs) return;
    await yieldInBackground(engineId);
    sliceAt = performance.now();
  };
}

function yieldOf(kind: Slices, enlist: (resolve: Resolve) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  enlist(resolve);
  if (!kind.isAsked) askFor(kind);
  return promise;
}

/** An immediate that is asked for within an immediate comes in the turn after. */
function askFor(kind: Slices): void {
  const left = kind.lists.reduce((sum, { length }) => sum + length, 0);
  const admitted = Math.min(left, kind.perYield);
  kind.isAsked = admitted > 0;
  for (let position = 1; position <= admitted; position++) {
    setImmediate(() => {
      admit(kind);
      if (position === admitted) askFor(kind);
    });
  }
}

function admit({ lists }: Slices): void {
  lists.find(({ length }) => length > 0)?.shift()?.();
}
