import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 give up backtracking where an expression goes on and on, and match it in linear time. For expressions
 * without flags, look-around and references only: those of operators are matched by `patterns/linear-pattern.ts`.
 * Of the process; before it reads what others wrote.
 */
export function fallBackToLinearTime(): void {
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
}
