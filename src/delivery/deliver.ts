/** A message for people: `text` for those who read it, `content` for programs. */
export type OutgoingMessage = {
  /** The same for every attempt. */
  readonly id: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly content: object;
};

/** What became of a message. `said`: what the receiver said of it, or why none could be asked; no secret is in it. */
export type Receipt = { readonly taken: boolean; readonly said: string };

/**
 * Port: hands one message to one receiver, over a connection of its own. Promises:
 * - it resolves in any case, within 10 s, or at once when the signal is aborted;
 * - `taken` says that the receiver has taken responsibility for the message;
 * - it reaches the address that the operator configured and no other: no redirect is followed.
 */
export type Deliver = (message: OutgoingMessage, signal: AbortSignal) => Promise<Receipt>;

export const DELIVER_WITHIN_MS = 10_000;
/** Of what a receiver says, this is kept. */
const SAID_CHARS = 300;

/** What a receiver said, as one line. */
export function shortened(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length <= SAID_CHARS ? line : `${line.slice(0, SAID_CHARS - 1)}…`;
}
