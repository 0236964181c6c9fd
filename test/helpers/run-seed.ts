const FIXED = 20_240_229;

/**
 * The seed of what is random in this run. It is fixed, so that a run can be repeated: `TEST_SEED=random` draws another
 * one, which tests show in their names or with their failure, and `TEST_SEED=<number>` runs with that.
 */
export const RUN_SEED = seedOf(process.env['TEST_SEED']);

function seedOf(text: string | undefined): number {
  if (text === 'random') return Math.floor(Math.random() * 1e9);
  const seed = text === undefined ? FIXED : Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED is ${text}: set it to a whole number, or to random`);
  return seed;
}
