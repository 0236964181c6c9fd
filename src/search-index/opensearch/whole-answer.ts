import { z } from 'zod';
import { AppError } from '../../core/errors.ts';

const ShardsSchema = z.object({ _shards: z.looseObject({ total: z.number(), successful: z.number() }) });

/**
 * An answer that every part of an index has taken part in.
 * @throws AppError `index.unavailable`: servers answer with what is left when a part is away
 */
export function requireWhole(answer: unknown): unknown {
  const { _shards: shards } = ShardsSchema.parse(answer);
  if (shards.successful < shards.total) {
    throw new AppError('index.unavailable', 'A part of the index is away', {
      details: { shards },
      retryAfterSeconds: 1,
    });
  }
  return answer;
}
