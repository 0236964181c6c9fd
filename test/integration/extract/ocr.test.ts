import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS } from '../../../src/extract/extraction.ts';
import { findOcrCommand } from '../../../src/extract/files/ocr/ocr-command.ts';
import { createRecognizer } from '../../../src/extract/files/ocr/recognize-picture.ts';
import { createParserPool, type ParserPool } from '../../../src/extract/files/parser-pool.ts';
import { eventually } from '../../helpers/eventually.ts';
import { pdfOfPictures } from '../../helpers/sample-files.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const never = new AbortController().signal;
const scan = { width: 8, height: 8, pixels: new Uint8Array(64).fill(200) };

/** Says what it was given, as the installed command takes pictures: on its input, to its output. */
const READS =
  'kind=$(head -c 2); cat > /dev/null; echo "A letter of the council, kind $kind."; echo "$*" | tr "\\n" " "';

/** A pool beside a command of this name that does `script`. */
async function poolWith(stack: AsyncDisposableStack, script: string, pages = 20): Promise<ParserPool> {
  const folder = stack.use(await temporaryFolder());
  const path = join(folder.path, 'tesseract');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  const command = findOcrCommand({ searchPath: folder.path, packagesFolder: folder.path, languages: 'eng+deu' });
  if (command === undefined) throw new Error('The command is not found');
  const ocr = { recognize: createRecognizer(command, 512), pages };
  return stack.use(createParserPool({ processes: 1, timeoutMs: 20_000, memoryMb: 512, ocr }));
}

test('pages that are pictures are read by the installed command, and the document says so', async () => {
  await using stack = new AsyncDisposableStack();
  const pool = await poolWith(stack, READS);
  const input = {
    url: 'https://site.example/letter.pdf',
    body: pdfOfPictures([scan, scan]),
    headers: {},
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: 0,
  };

  const { status, fields, structure, trace, cuts } = await extract(pool, input, never);

  expect([status, cuts, trace.notes]).toEqual(['ok', [], ['2 pages were read by OCR']]);
  expect(fields.get('Ocr_page_count_number')).toEqual(['2']);
  const pages = structure.sections.map(({ page, blocks }) => [page, blocks.map(({ text }) => text).join(' ')]);
  expect(pages).toEqual([
    [1, 'A letter of the council, kind P5. stdin stdout -l eng+deu --dpi 200'],
    [2, 'A letter of the council, kind P5. stdin stdout -l eng+deu --dpi 200'],
  ]);
});

test('pictures beyond those of a file are left, and told', async () => {
  await using stack = new AsyncDisposableStack();
  const pool = await poolWith(stack, READS, 2);
  const file = await pool.parseFile(pdfOfPictures([scan, scan, scan, scan]), 'pdf', never);
  expect(new Set(file.blocks.map(({ page }) => page))).toEqual(new Set([1, 2]));
  expect([file.status, file.recognizedPages, file.cuts]).toEqual([
    'ok',
    2,
    ['2 scanned pages were not read: OCR reads 2 of a file'],
  ]);
});

test.each([
  ['fails', 'cat > /dev/null; exit 1'],
  ['ends before it has read', 'exit 0'],
  ['finds nothing', 'cat > /dev/null; echo " "'],
  ['has no end to say', 'exec yes'],
])('a picture whose command %s stays one', async (_, script) => {
  await using stack = new AsyncDisposableStack();
  const pool = await poolWith(stack, script);
  const file = await pool.parseFile(pdfOfPictures([scan]), 'pdf', never);
  expect([file.status, file.reason]).toEqual(['empty', 'The pages are images without text']);
  expect(file.notes).toEqual(['1 of 1 pages are images without text', 'OCR read nothing on 1 pages']);
});

test('an abort ends a picture that is being read', async () => {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryFolder());
  const pool = await poolWith(stack, `echo $$ > ${path}/pid; exec sleep 600`);
  const controller = new AbortController();
  const reading = pool.parseFile(pdfOfPictures([scan]), 'pdf', controller.signal);
  const pid = await eventually(() =>
    existsSync(`${path}/pid`) ? readFileSync(`${path}/pid`, 'utf8').trim() || undefined : undefined,
  );
  controller.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
  await eventually(() => !existsSync(`/proc/${pid}`));
});

test('the optional package is asked where no command is installed, and nothing where neither is', async () => {
  await using folder = await temporaryFolder();
  const places = { searchPath: '/nowhere', packagesFolder: folder.path, languages: 'eng' };
  expect(findOcrCommand(places)).toBeUndefined();
  for (const name of ['tesseract.js', '@tesseract.js-data/eng']) {
    const installed = join(folder.path, 'node_modules', name);
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'package.json'), '{}');
  }
  expect(findOcrCommand(places)).toMatchObject({ path: process.execPath });
  expect(findOcrCommand({ ...places, languages: 'eng+deu' })).toBeUndefined();
});
