import type { Config } from '../config/config.ts';
import { invalidRequest } from '../core/errors.ts';
import { type ContentModel, readContentModel } from '../extract/html/content-model.ts';

/**
 * The weights of `CONTENT_MODEL_PATH`, undefined when the built-in ones are meant.
 * @throws AppError `request.invalid` when the file cannot be read or is none
 */
export function chosenContentModel({ CONTENT_MODEL_PATH: path }: Config): ContentModel | undefined {
  if (path === undefined) return undefined;
  try {
    return readContentModel(path);
  } catch (cause) {
    throw invalidRequest([{ path: 'CONTENT_MODEL_PATH', message: `CONTENT_MODEL_PATH: ${faultOf(path, cause)}` }]);
  }
}

function faultOf(path: string, cause: unknown): string {
  if (cause instanceof TypeError) return cause.message;
  return `${path} ${cause instanceof SyntaxError ? 'is no content model: it is no JSON' : 'cannot be read'}`;
}
