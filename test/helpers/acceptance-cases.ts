import { beforeEach } from 'vitest';

/** Acceptance cases of contract 12. */
const CASES = 82;

/** Names of tests whose case is another one with servers, and why: docs/scaling.md gives the same reasons. None is. */
const DIFFERENCES: ReadonlyMap<string, string> = new Map();

/** Set-up of a project that runs the acceptance cases of its files alone: tests whose name begins with the number of one. */
beforeEach(({ task: { name }, skip }) => {
  const number = Number(/^(?<number>\d+)[: ]/.exec(name)?.groups?.['number'] ?? 0);
  if (number < 1 || number > CASES) skip('no acceptance case');
  const difference = DIFFERENCES.get(name);
  if (difference !== undefined) skip(difference);
});
