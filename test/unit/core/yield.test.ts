import { setImmediate as anyTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { yieldBriefly, yieldInBackground, yieldInBackgroundAfter, yieldToEventLoop } from '../../../src/core/yield.ts';

test('one caller goes on per turn, first come, first served', async () => {
  const order: string[] = [];
  const work = async (name: string) => {
    for (const step of [1, 2]) {
      await yieldToEventLoop();
      order.push(`${name}${step}`);
    }
  };
  let isOver = false;
  const all = Promise.all(['a', 'b', 'c'].map(work)).then(() => {
    isOver = true;
  });
  const perTurn: number[] = [];
  while (!isOver) {
    const before = order.length;
    await anyTurn();
    perTurn.push(order.length - before);
  }
  await all;

  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  expect(Math.max(...perTurn)).toBe(1);
});

test('the patient go on behind all others, one per turn too', async () => {
  const order: string[] = [];
  const perTurn: number[] = [];
  const note = (name: string) => () => void order.push(name);
  const patient = [1, 2, 3].map((each) => yieldInBackground().then(note(`later ${each}`)));
  const others = [1, 2].map((each) => yieldToEventLoop().then(note(`next ${each}`)));
  while (order.length < 5) {
    const before = order.length;
    await anyTurn();
    perTurn.push(order.length - before);
  }
  await Promise.all([...patient, ...others]);

  expect(order).toEqual(['next 1', 'next 2', 'later 1', 'later 2', 'later 3']);
  expect(Math.max(...perTurn)).toBe(1);
});

test('engines take turns with slices of time, however many pages one of them is written', async () => {
  const order: string[] = [];
  const write = async (engineId: number) => {
    const pause = yieldInBackgroundAfter(0, engineId);
    for (let slice = 0; slice < 3; slice++) {
      await pause();
      order.push(`engine ${engineId}`);
    }
  };
  await Promise.all([1, 1, 1, 1, 1, 1, 2].map(write));

  expect(order.lastIndexOf('engine 2')).toBeLessThan(7);
  expect(order).toHaveLength(21);
});

test('small slices go on eight per turn, beside all others', async () => {
  const order: string[] = [];
  const perTurn: number[] = [];
  const note = (name: string) => () => void order.push(name);
  const small = Array.from({ length: 20 }, () => yieldBriefly().then(note('small')));
  const patient = [1, 2].map((each) => yieldInBackground().then(note(`later ${each}`)));
  while (order.length < 22) {
    const before = order.length;
    await anyTurn();
    perTurn.push(order.length - before);
  }
  await Promise.all([...small, ...patient]);

  expect(Math.max(...perTurn)).toBe(9);
  expect(order.indexOf('later 2')).toBeLessThan(18);
});
