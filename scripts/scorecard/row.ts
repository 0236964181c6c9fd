/** One promise and the test that shows it. */
export type ScorecardRow = {
  /** `<area>.<subject>`; a test that measures something reports its figure under it. */
  readonly id: string;
  /** One sentence that a reader of docs/reliability.md understands without the test. */
  readonly promise: string;
  /** Path of the test file from the root of the repository. */
  readonly file: string;
  /** Part of the name of the test; absent = all tests of the file. */
  readonly test?: string;
};
