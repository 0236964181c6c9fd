import { FossickError } from './fossick-error.ts';

/** A text that is being written, as Markdown. */
export type TextStream = {
  /**
   * Read once. Leaving the loop stops the writing. Rejects with the reason of the signal, or with a `FossickError` with
   * `stream.cut` when the connection is lost before the end.
   */
  readonly pieces: AsyncIterable<string>;
  /** What was read so far, also of a text that broke off. */
  readonly text: string;
};

/** Contract: 4.3. */
export function readText(response: Response, signal: AbortSignal | undefined): TextStream {
  let text = '';
  return {
    pieces: readPieces(response, signal, (piece) => {
      text += piece;
    }),
    get text() {
      return text;
    },
  };
}

async function* readPieces(
  { body }: Response,
  signal: AbortSignal | undefined,
  keep: (piece: string) => void,
): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const piece = done ? decoder.decode() : decoder.decode(value, { stream: true });
      keep(piece);
      if (piece !== '') yield piece;
      if (done) return;
    }
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    throw new FossickError('The text broke off: the connection was lost', {
      status: 0,
      errorCode: 'stream.cut',
      cause,
    });
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
