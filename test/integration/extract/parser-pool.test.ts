import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type FileExtraction } from '../../../src/extract/extraction.ts';
import { createParserPool } from '../../../src/extract/files/parser-pool.ts';
import { cpuMsOf, isolationArguments } from '../../../src/extract/files/parser-process.ts';
import type { FileKind } from '../../../src/extract/formats.ts';
import { eventually } from '../../helpers/eventually.ts';
import { cells, xlsOf } from '../../helpers/legacy-sheet-files.ts';
import { pptOf, slideShape, text } from '../../helpers/legacy-slide-files.ts';
import { docOf, epubOf, line, odfOf, pptxOf, shape, xlsxOf } from '../../helpers/office-files.ts';
import { loopingOle } from '../../helpers/ole-file.ts';
import { parserChildOf } from '../../helpers/parser-child.ts';
import { docxOf, paragraph, pdfBombOf, pdfEndingInBomb, pdfOf, zipOf } from '../../helpers/sample-files.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/files/${name}`, import.meta.url));
const never = new AbortController().signal;
const open = (options: Partial<Parameters<typeof createParserPool>[0]> = {}) =>
  createParserPool({ processes: 2, timeoutMs: 20_000, memoryMb: 512, ...options });

const textOf = ({ blocks }: FileExtraction, page?: number) =>
  blocks
    .filter((block) => page === undefined || block.page === page)
    .map(({ text }) => text)
    .join('\n');

/** A Word document of one paragraph. */
const runsOf = (count: number) =>
  docxOf(`<w:p>${Array.from({ length: count }, (_, at) => `<w:r><w:t>${at}</w:t></w:r>`).join('')}</w:p>`);

/** Each format with the children that read it, as the crawler asks for them. */
describe('formats', () => {
  const pool = open();
  afterAll(() => pool[Symbol.asyncDispose]());
  const opening = 'Opening hours of the depot';
  const sheet = `<row><c t="inlineStr"><is><t>${opening}</t></is></c></row>`;

  test.each<[FileKind, Buffer]>([
    ['pptx', pptxOf([{ shapes: shape('', line(opening)) }])],
    ['xlsx', xlsxOf([{ name: 'Depots', data: sheet }])],
    ['odt', odfOf('text', `<text:p>${opening}</text:p>`)],
    [
      'ods',
      odfOf(
        'spreadsheet',
        `<table:table><table:table-row><table:table-cell><text:p>${opening}</text:p></table:table-cell></table:table-row></table:table>`,
      ),
    ],
    ['odp', odfOf('presentation', `<draw:page><draw:frame><text:p>${opening}</text:p></draw:frame></draw:page>`)],
    ['epub', epubOf({ 'a.xhtml': `<p>${opening}</p>` })],
    ['rtf', Buffer.from(`{\\rtf1 ${opening}}`)],
    ['doc', docOf({ text: `${opening}\r` })],
    ['ppt', pptOf([{ shapes: [slideShape(text(4, opening))] }])],
    ['xls', xlsOf([{ name: 'Depots', records: [cells.label(0, 0, opening)] }])],
  ])('%s is told by its bytes under any name and read', async (kind, bytes) => {
    const { fields, status, trace } = await extract(
      pool,
      {
        url: 'https://site.example/file.pdf',
        body: bytes,
        headers: { contentType: 'application/pdf' },
        settings: DEFAULT_EXTRACT_SETTINGS,
        now: Date.UTC(2026, 5, 1),
      },
      never,
    );
    expect([status, trace.media, fields.get('File_type')]).toEqual(['ok', kind, [kind]]);
    expect(fields.get('Content')?.[0]).toContain(opening);
  });
});

describe('files', () => {
  const pool = open();
  afterAll(() => pool[Symbol.asyncDispose]());

  test('a PDF gives its pages, joined lines and properties', async () => {
    const file = await pool.parseFile(fixture('delivery-guide.pdf'), 'pdf', never);
    expect(file).toMatchObject({
      status: 'ok',
      reason: '',
      pageCount: 2,
      properties: {
        title: 'Delivery guide',
        author: 'Ada Holm',
        created: '2026-02-10T08:30:00+01:00',
        modified: '2026-03-01',
      },
    });
    expect(file.blocks.map(({ page, text }) => [page, text])).toEqual([
      [1, 'Delivery guide'],
      [
        1,
        'Parcels leave our warehouse in Aarhus every weekday before noon, and most of them arrive on ' +
          'the next working day in all of Denmark. Heavy goods take longer.',
      ],
      [2, 'Returns'],
      [2, 'Send a parcel back within thirty days. The refund is paid out when the delivery has been checked.'],
    ]);
  });

  test('a Word document gives its text and properties', async () => {
    const file = await pool.parseFile(fixture('handbook.docx'), 'docx', never);
    expect(file.blocks.map(({ text }) => text)).toEqual([
      'Handbook for the shop',
      'Every return is checked by two people before the refund is paid.',
      'Country | Days',
      'Opening hours: nine to five.',
    ]);
    expect(file).toMatchObject({
      status: 'ok',
      pageCount: undefined,
      properties: { title: 'Returns & repairs', author: 'Ada Holm' },
    });
  });

  test('a Word document is read by its parts: mammoth, the other reader, says no numbers of lists', async () => {
    const entry = (words: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${words}</w:t></w:r></w:p>`;
    const numbering =
      '<w:numbering NAMESPACES><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>';
    const bytes = docxOf(entry('Wrap it') + entry('Bring it'), { 'numbering.xml': numbering });
    expect(textOf(await pool.parseFile(bytes, 'docx', never))).toBe('1. Wrap it\n2. Bring it');
  });

  test('running titles and page numbers of a PDF stay once', async () => {
    const pages = Array.from({ length: 6 }, (_, i) => [
      'Annual report of the shop',
      `Text of part ${'abcdef'[i]}.`,
      `Page ${i + 1}`,
    ]);
    const file = await pool.parseFile(pdfOf(pages), 'pdf', never);
    expect(textOf(file, 1)).toContain('Annual report of the shop');
    expect(textOf(file, 4)).toBe('Text of part d.');
  });

  const many = Array.from({ length: 10_001 }, (_, i) => ({ name: `f${i}`, content: Buffer.alloc(0) }));
  test.each<[string, string, Buffer, 'pdf' | 'docx']>([
    ['an encrypted PDF', 'encrypted', fixture('encrypted.pdf'), 'pdf'],
    ['a PDF that is none', 'malformed', Buffer.from('%PDF-1.7 nothing more'), 'pdf'],
    ['a cut PDF', 'malformed', Buffer.from('%PDF-1.4\n1 0 obj\n<<'), 'pdf'],
    ['a PDF without text', 'empty', pdfOf([[]]), 'pdf'],
    ['a cut document', 'malformed', fixture('handbook.docx').subarray(0, 700), 'docx'],
    ['a zip without a document', 'malformed', zipOf([{ name: 'a.txt', content: Buffer.from('a') }]), 'docx'],
    ['a document without text', 'empty', docxOf(''), 'docx'],
    ['an archive with too many entries', 'over-limit', zipOf(many), 'docx'],
    ['an archive that says how much it inflates', 'over-limit', docxOf(paragraph('x'.repeat(30_000_000))), 'docx'],
    ['no bytes', 'malformed', Buffer.alloc(0), 'docx'],
  ])('%s settles as %s', async (_, status, bytes, kind) => {
    const file = await pool.parseFile(bytes, kind, never);
    expect([file.status, textOf(file)]).toEqual([status, '']);
    expect(file.reason).not.toBe('');
  });

  test('a PDF with more pages than the limit keeps the text up to it', async () => {
    const word = (page: number) => String(page).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
    const pages = Array.from({ length: 2_001 }, (_, page) => [`Part ${word(page)}`]);
    const file = await pool.parseFile(pdfOf(pages), 'pdf', never);
    expect([file.status, file.blocks.length]).toEqual(['over-limit', 2_000]);
  });
});

describe('limits', () => {
  const bomb = pdfBombOf(10, 12);

  test('a file that needs too much memory is killed twice, and its neighbour and the event loop are not held up', async () => {
    await using pool = open({ memoryMb: 200, timeoutMs: 60_000 });
    await pool.parseFile(fixture('handbook.docx'), 'docx', never);
    using loop = watchLoop();

    const [killed, neighbour] = await Promise.all([
      pool.parseFile(bomb, 'pdf', never),
      pool.parseFile(fixture('delivery-guide.pdf'), 'pdf', never),
    ]);

    expect([killed.status, killed.notes, neighbour.status]).toEqual([
      'out-of-memory',
      ['first reader: out-of-memory'],
      'ok',
    ]);
    // Read in this process it would be held for seconds.
    expect(loop.longestMs()).toBeLessThan(1_000);
    expect([...pool.kills]).toEqual([['out-of-memory', 2]]);
    expect((await pool.parseFile(fixture('handbook.docx'), 'docx', never)).status).toBe('ok');
  });

  test('a compound file whose tables go round is read within its memory', async () => {
    await using pool = open({ memoryMb: 200 });
    const file = await pool.parseFile(loopingOle(16_000), 'ppt', never);
    expect([file.status, file.reason]).toEqual(['malformed', 'The file has no slides']);
  });

  test('a file whose reader is ended keeps the pages that were read, and says which was the last', async () => {
    await using pool = open({ processes: 1, timeoutMs: 1_000, memoryMb: 4_000 });
    const lines = ['Parcels leave at noon.', 'Heavy goods take longer.', 'Returns are free of charge.'];
    const file = await pool.parseFile(pdfEndingInBomb(lines), 'pdf', never);
    expect(file).toMatchObject({ status: 'ok', reason: '', pageCount: 4 });
    expect(file.blocks.map(({ page, text: own }) => [page, own])).toEqual(lines.map((own, at) => [at + 1, own]));
    expect(file.cuts).toEqual(['truncated at page 3 of 4 (timed-out)']);
    // All of the time was the first reader's, as it brought pages.
    expect([...pool.kills]).toEqual([['timed-out', 1]]);
  });

  test('the other reader goes on behind the pages that the first one has read', async () => {
    await using pool = open({ processes: 1, memoryMb: 200, timeoutMs: 60_000 });
    const file = await pool.parseFile(pdfEndingInBomb(['Parcels leave at noon.']), 'pdf', never);
    expect(file.blocks.map(({ page, text: own }) => [page, own])).toEqual([[1, 'Parcels leave at noon.']]);
    expect([file.status, file.cuts, file.notes]).toEqual([
      'ok',
      ['truncated at page 1 of 2 (out-of-memory)'],
      ['first reader: out-of-memory'],
    ]);
  });

  test('a long file on little time gives its first pages', async () => {
    // A dense page costs some 5 ms of processor time: 500 take seconds on any machine.
    const dense = Array.from({ length: 48 }, (_, at) => `Line ${at} of a page: ${'parcels leave at noon '.repeat(6)}`);
    const pages = Array.from({ length: 500 }, (_, at) => [
      ...dense.slice(0, 24),
      `Here begins chapter ${at + 1}`,
      ...dense.slice(24),
    ]);
    await using pool = open({ processes: 1, timeoutMs: 1_000 });
    const file = await pool.parseFile(pdfOf(pages), 'pdf', never);
    const read = new Set(file.blocks.map(({ page }) => page));
    expect(file.status).toBe('ok');
    expect(file.cuts).toEqual([`truncated at page ${read.size} of 500 (timed-out)`]);
    expect(textOf(file, read.size)).toMatch(new RegExp(`Here begins chapter ${read.size}\\b`));
  });

  test('a file that takes too long is killed in its time, second try included, and the next one is read', async () => {
    const timeoutMs = isLongForm ? 20_000 : 1_500;
    await using pool = open({ processes: 1, timeoutMs, memoryMb: 4_000 });
    await pool.parseFile(fixture('handbook.docx'), 'docx', never);
    const before = cpuMsOfEndedChildren();
    const killed = await pool.parseFile(bomb, 'pdf', never);
    const tookMs = cpuMsOfEndedChildren() - before;
    reportFigure('network.hostile-file', `${(tookMs / 1_000).toFixed(2)} s of ${timeoutMs / 1_000} s`);
    // The starts of two children, and what they take between two looks at them.
    if (isLongForm) expect(tookMs).toBeLessThan(timeoutMs * 1.1);
    expect([killed.status, [...pool.kills]]).toEqual(['timed-out', [['timed-out', 2]]]);
    expect((await pool.parseFile(fixture('handbook.docx'), 'docx', never)).status).toBe('ok');
  });

  test('a file that is too much for its first reader is given to the other one in a new child', async () => {
    await using pool = open({ memoryMb: 200 });
    const file = await pool.parseFile(runsOf(1_000_000), 'docx', never);
    expect([file.status, file.notes]).toEqual(['over-limit', ['first reader: out-of-memory']]);
  });

  test('a file whose child dies is read by the other reader', async () => {
    await using pool = open({ processes: 1 });
    await pool.parseFile(fixture('handbook.docx'), 'docx', never);
    const reading = pool.parseFile(runsOf(1_000), 'docx', never);
    process.kill(parserChildOf(process.pid), 'SIGKILL');
    const { status, notes, blocks } = await reading;
    expect([status, notes, blocks[0]?.text.slice(0, 4)]).toEqual(['ok', ['first reader: crashed'], '0123']);
    expect([...pool.kills]).toEqual([['crashed', 1]]);
  });

  test('a file whose reader gets no processor for longer than its time is read', async () => {
    await using pool = open({ timeoutMs: 1_000, memoryMb: 4_000 });
    await pool.parseFile(fixture('handbook.docx'), 'docx', never);
    const pid = parserChildOf(process.pid);
    const idleMs = (await cpuMsOf(pid)) ?? 0;
    const reading = pool.parseFile(runsOf(100_000), 'docx', never);
    await eventually(async () => ((await cpuMsOf(pid)) ?? 0) >= idleMs + 50);
    process.kill(pid, 'SIGSTOP');
    // Its neighbour takes all of its time meanwhile, which lasts as long by the clock, or longer.
    const neighbour = await pool.parseFile(bomb, 'pdf', never);
    process.kill(pid, 'SIGCONT');
    const { status, notes } = await reading;
    expect([neighbour.status, status, notes]).toEqual(['timed-out', 'ok', []]);
  });

  test('an abort ends a file at once, also one that waits for a child', async () => {
    await using pool = open({ processes: 1 });
    await pool.parseFile(fixture('handbook.docx'), 'docx', never);
    const controller = new AbortController();
    const files = [1, 2].map(() => pool.parseFile(bomb, 'pdf', controller.signal));
    const settled = Promise.allSettled(files);
    await new Promise(setImmediate);
    const abortedAt = performance.now();
    controller.abort(new Error('stopped'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(performance.now() - abortedAt).toBeLessThan(1_000);
    expect((await pool.parseFile(fixture('handbook.docx'), 'docx', never)).status).toBe('ok');
  });

  test('an abort while a child starts ends the file', async () => {
    await using pool = open({ processes: 1 });
    const controller = new AbortController();
    const reading = pool.parseFile(bomb, 'pdf', controller.signal);
    controller.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });

  test('more files than children are read one after the other', async () => {
    await using pool = open();
    const files = await Promise.all(
      Array.from({ length: 12 }, () => pool.parseFile(fixture('handbook.docx'), 'docx', never)),
    );
    expect(new Set(files.map(({ status }) => status))).toEqual(new Set(['ok']));
  });
});

/** The most work of this thread between two turns of its loop: CPU time, so that a busy machine adds nothing. */
function watchLoop(): Disposable & { readonly longestMs: () => number } {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const spent = process.threadCpuUsage(before);
    longest = Math.max(longest, spent.user + spent.system);
    before = process.threadCpuUsage();
  }, 5);
  return { longestMs: () => longest / 1_000, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Processor time of the children of this process that have ended (proc(5): `cutime`, `cstime`, in ticks of 10 ms). */
function cpuMsOfEndedChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

describe('isolation', () => {
  const DENIED: readonly (readonly [string, string])[] = [
    ['a file outside of the program', `(await import('node:fs')).readFileSync('/etc/hostname')`],
    ['a folder outside of the program', `(await import('node:fs')).readdirSync('/')`],
    ['writing', `(await import('node:fs')).writeFileSync('/tmp/planted', 'x')`],
    ['a process', `(await import('node:child_process')).execSync('true')`],
    ['a worker', `new (await import('node:worker_threads')).Worker('1', { eval: true })`],
  ];
  const CLOSED: readonly (readonly [string, (port: number) => string])[] = [
    ['net', (port) => `(await import('node:net')).connect(${port}, '127.0.0.1')`],
    ['a socket', (port) => `new (await import('node:net')).Socket().connect(${port}, '127.0.0.1')`],
    ['http', (port) => `(await import('node:http')).get('http://127.0.0.1:${port}/')`],
    ['tls', (port) => `(await import('node:tls')).connect(${port}, '127.0.0.1')`],
    ['http2', (port) => `(await import('node:http2')).connect('http://127.0.0.1:${port}/')`],
    ['require', (port) => `process.getBuiltinModule('net').connect(${port}, '127.0.0.1')`],
    ['datagrams', () => `(await import('node:dgram')).createSocket('udp4')`],
    ['names', () => `await (await import('node:dns')).promises.lookup('localhost')`],
    ['a server', () => `(await import('node:net')).createServer()`],
    ['fetch', (port) => `await fetch('http://127.0.0.1:${port}/')`],
  ];
  const ENVIRONMENT = 'if (Object.keys(process.env).length > 0) throw new Error(Object.keys(process.env).join())';

  /** What came of each attempt, by its name; connections that reached a server. */
  let outcomes: ReadonlyMap<string, string>;
  let connections = 0;
  beforeAll(async () => {
    const canary = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const { port } = canary.address() as { port: number };
    const closed = CLOSED.map(([name, code]) => [name, code(port)] as const);
    outcomes = await attemptAll([...DENIED, ...closed, ['environment', ENVIRONMENT]]);
    canary.close();
  });

  /** One child tries everything in turn: its start costs more than all attempts. */
  async function attemptAll(attempts: readonly (readonly [string, string])[]): Promise<ReadonlyMap<string, string>> {
    const functions = attempts.map(([name, code]) => `[${JSON.stringify(name)}, async () => { ${code} }]`).join();
    const script = `process.on('uncaughtException', () => {});
      const outcomes = [];
      const told = (error) => error.code ?? error.message;
      for (const [name, attempt] of [${functions}]) outcomes.push([name, await attempt().then(() => 'open', told)]);
      console.log(JSON.stringify(outcomes));`;
    const args = [...(await isolationArguments()), '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
    return new Map(JSON.parse(stdout) as [string, string][]);
  }

  test.each(DENIED)('%s is denied', (name) => {
    expect(outcomes.get(name)).toBe('ERR_ACCESS_DENIED');
  });

  test.each(CLOSED)('the network is closed: %s', (name) => {
    expect(outcomes.get(name)).toMatch(/^(The network is closed to parsers|fetch is not defined)$/);
    expect(connections).toBe(0);
  });

  test('there is no environment', () => {
    expect(outcomes.get('environment')).toBe('open');
  });
});
