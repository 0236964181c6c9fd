/**
 * Port: bodies of files that wait for their parser, on the disk of this machine. Promises:
 * - a body is there under its name until it is dropped, or its time is over;
 * - what is not there, or no longer, is `undefined` to `read` and nothing to `drop`;
 * - it is full from its bound on, whoever filled it; the answer may be a second old.
 */
export interface FileSpool {
  isFull(): Promise<boolean>;
  /** @param name as in `SpoolFile` */
  read(name: string): Promise<Uint8Array | undefined>;
  drop(name: string): Promise<void>;
}
