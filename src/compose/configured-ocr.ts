import type { Config } from '../config/config.ts';
import { searchPath } from '../config/environment.ts';
import { invalidRequest } from '../core/errors.ts';
import { findOcrCommand } from '../extract/files/ocr/ocr-command.ts';
import { createRecognizer } from '../extract/files/ocr/recognize-picture.ts';
import type { ParserPoolOptions } from '../extract/files/parser-pool.ts';
import { packagesFolder } from './packages-folder.ts';

/**
 * What reads pictures, undefined when nothing shall.
 * @throws AppError `request.invalid` when it is not installed
 */
export function configuredOcr(config: Config): ParserPoolOptions['ocr'] {
  const { OCR: wanted, OCR_LANGUAGES: languages, OCR_PAGES: pages, PARSER_MEMORY_MB: memoryMb } = config;
  if (wanted === 'off') return undefined;
  const folder = packagesFolder(config.DATA_DIR);
  const command = findOcrCommand({ searchPath: searchPath(), packagesFolder: folder, languages });
  if (command !== undefined) return { recognize: createRecognizer(command, memoryMb), pages };
  const [language] = languages.split('+');
  const install = `npm install --ignore-scripts --prefix "${folder}" tesseract.js @tesseract.js-data/${language}`;
  const message = `OCR is tesseract, which is not installed: install the command of the system, or, for one language, ${install}`;
  throw invalidRequest([{ path: 'OCR', message }]);
}
