import { describe, expect, test } from 'vitest';
import { createSemaphore } from '../../../src/core/concurrency.ts';

const MAX_WAITING = 2_000;
const never = () => new AbortController().signal;

/** Permits for two at a time, with what began and what ends it. */
function twoAtATime() {
  const turns = createSemaphore(2);
  const begun: string[] = [];
  const held: Disposable[] = [];
  const ask = async (name: string, engineId = 1, signal = never()) => {
    const turn = await turns.acquire(signal, engineId);
    begun.push(name);
    held.push(turn);
  };
  const endOne = async () => {
    held.shift()?.[Symbol.dispose]();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { turns, begun, ask, endOne };
}

describe('permits', () => {
  test('let in as many as may begin, and one more for each that ends, first come, first served', async () => {
    const { begun, ask, endOne } = twoAtATime();
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name));
    await Promise.all(all.slice(0, 2));

    expect(begun).toEqual(['a', 'b']);
    await endOne();
    expect(begun).toEqual(['a', 'b', 'c']);
    await endOne();
    await endOne();
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('are shared out between engines, however many one of them asks for', async () => {
    const { begun, ask, endOne } = twoAtATime();
    const all = [...['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, 1)), ask('b1', 2), ask('c1', 3)];
    for (const _ of all) await endOne();
    await Promise.all(all);

    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4']);
  });

  test('are not kept for who gives up', async () => {
    const { begun, ask, endOne } = twoAtATime();
    const leaving = new AbortController();
    const stayed = [ask('a'), ask('b')];
    const left = ask('c', 1, leaving.signal);
    const last = ask('d');
    leaving.abort(new Error('enough'));

    await expect(left).rejects.toThrow('enough');
    await Promise.all(stayed);
    await endOne();
    await last;
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  test('begin when what held them back is over and somebody says so', async () => {
    let isOpen = false;
    const turns = createSemaphore(() => isOpen);
    let hasBegun = false;
    const waiting = turns.acquire(never(), 1).then(() => {
      hasBegun = true;
    });
    await Promise.resolve();
    expect(hasBegun).toBe(false);

    isOpen = true;
    turns.admit();
    await waiting;
    expect(hasBegun).toBe(true);
  });

  test('have a bound of those who wait on an engine, not on the others', async () => {
    const turns = createSemaphore(1);
    using _running = await turns.acquire(never(), 1);
    for (let i = 0; i < MAX_WAITING; i++) void turns.acquire(never(), 1);

    await expect(turns.acquire(never(), 1)).rejects.toMatchObject({ code: 'rate.exceeded' });
    void turns.acquire(never(), 2);
  });

  test('released twice let one in', async () => {
    const semaphore = createSemaphore(1);
    const first = await semaphore.acquire(never());
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    using _running = await semaphore.acquire(never());

    void semaphore.acquire(never());
    expect(semaphore.waiting).toBe(1);
  });

  test('without room to wait are given or refused', async () => {
    const semaphore = createSemaphore(1, { maxWaiting: 0, refusal: () => new Error('full') });
    using _running = await semaphore.acquire(never());

    await expect(semaphore.acquire(never())).rejects.toThrow('full');
  });
});
