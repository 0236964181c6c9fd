/**
 * Builds the embeddable widget. `web/dist/widget/<version>` holds the script of the tag and what it loads later;
 * `web/dist/widget.json` says which version that is, with the digest that a tag may name.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** English is part of the widget; other languages are files of their own. */
const CATALOGUE = /^(?!en\.)([a-z]{2,3}(?:-[a-z]+)?)\.ts$/i;
/** Texts of the search page alone, by the beginning of their names. */
const PAGE_TEXTS = 'facets|menu|sort|start';
/** Browsers with `light-dark()`: what older ones get in its place follows the system, not the page around. */
const OWN_SCHEMES = ['chrome123', 'firefox120', 'safari17.5'];
/** What is loaded when it is needed, below `web`. */
const PARTS = { app: 'widget/app.tsx', answers: 'widget/answers.tsx', languages: 'widget/languages.ts' };
const VERSION = '__WIDGET_VERSION__';

export async function buildWidget(root) {
  const catalogues = await buildModules(root, cataloguesOf(root));
  const parts = await buildParts(root, { LANGUAGE_CHUNKS: JSON.stringify(tableOf(catalogues)) });
  const template = await buildLoader(root, { version: VERSION, chunks: tableOf(parts) });
  const { version: release } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // A release may be built of changed sources: the same address never has two contents.
  const version = `${release}-${createHash('sha256').update(template).digest('hex').slice(0, 8)}`;
  const loader = template.replaceAll(VERSION, version);

  const dist = join(root, 'web/dist');
  const folder = join(dist, 'widget', version);
  mkdirSync(folder, { recursive: true });
  for (const { fileName, code } of [...catalogues, ...parts]) writeFileSync(join(folder, fileName), code);
  writeFileSync(join(folder, 'widget.js'), loader);
  writeFileSync(join(dist, 'widget.json'), JSON.stringify({ version, integrity: integrityOf(loader) }));
}

/** Modules by name, each a file named by its content; what several import lies in files of its own. */
async function buildModules(root, modules, { define, groups } = {}) {
  const input = Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, join(root, 'web', path)]));
  const output = {
    format: 'es',
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: 'shared-[hash].js',
    codeSplitting: { groups },
  };
  const options = settings(root, { input, output, preserveEntrySignatures: 'exports-only' });
  return (await build({ ...options, define })).output;
}

/** What answers share with the app is in one file with the app: two compress a twentieth worse. */
async function buildParts(root, define) {
  const alone = await buildModules(root, { app: PARTS.app });
  const ids = new Set(alone.flatMap(({ moduleIds }) => moduleIds));
  return buildModules(root, PARTS, { define, groups: [{ name: 'shared', test: (id) => ids.has(id) }] });
}

function cataloguesOf(root) {
  const codes = readdirSync(join(root, 'web/messages')).flatMap((file) => CATALOGUE.exec(file)?.[1] ?? []);
  return Object.fromEntries(codes.map((code) => [code, `messages/${code}.ts`]));
}

/** What the loader may load, by name. */
function tableOf(files) {
  return Object.fromEntries(files.filter(({ isEntry }) => isEntry).map((file) => [file.name, filesOf(file, files)]));
}

/** The tag has no `type=module`: it is one script without imports, and knows the tag that it came with. */
async function buildLoader(root, widgetBuild) {
  const lib = { entry: join(root, 'web/widget/loader.ts'), formats: ['iife'], name: 'loader' };
  const define = { WIDGET_BUILD: JSON.stringify(widgetBuild) };
  const [{ output }] = await build({ ...settings(root, {}, { lib }), define });
  return output[0].code;
}

function settings(root, rolldownOptions, more = {}) {
  return {
    configFile: false,
    root: join(root, 'web'),
    publicDir: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [ownStyles(), ownTexts()],
    build: { target: 'es2022', cssTarget: OWN_SCHEMES, write: false, modulePreload: false, rolldownOptions, ...more },
  };
}

/**
 * `rem` is a size of the page around, which may have made it anything; media queries ask the browser. And the page around
 * may set what the style sheet has as custom properties, under the name of the product.
 */
function ownStyles() {
  return {
    name: 'own-styles',
    transform: {
      filter: { id: /\.css\?inline$/ },
      handler: (code) =>
        code
          .replace(/(@media[^{]*)|(-?[\d.]+)rem\b/g, (_, query, size) => query ?? `calc(${size}*var(--rem))`)
          .replace(/--((?!fossick-)[\w-]+):\s*([^;}]+)/g, '--$1:var(--fossick-$1,$2)'),
    },
  };
}

/** Catalogues without the texts of the search page; an entry is a line, and what is further in. @throws Error when one is used */
function ownTexts() {
  const entries = new RegExp(`^ {2}'(?:${PAGE_TEXTS})\\..*\\n(?: {3,}.*\\n| {2}\\}.*\\n)*`, 'gm');
  const uses = new RegExp(`['"\`](?:${PAGE_TEXTS})\\.\\w`);
  return {
    name: 'own-texts',
    enforce: 'pre',
    transform: { filter: { id: /\/web\/messages\/[\w-]+\.ts$/ }, handler: (code) => code.replace(entries, '') },
    renderChunk: (code) => {
      if (uses.test(code)) throw new Error('The widget shows a text that its catalogues leave out: see PAGE_TEXTS');
    },
  };
}

/** The file of an entry and all that it imports, each once. */
function filesOf(chunk, chunks, seen = new Set()) {
  if (seen.has(chunk.fileName)) return [];
  seen.add(chunk.fileName);
  const imported = chunk.imports.flatMap((name) =>
    filesOf(
      chunks.find(({ fileName }) => fileName === name),
      chunks,
      seen,
    ),
  );
  return [{ file: chunk.fileName, integrity: integrityOf(chunk.code) }, ...imported];
}

function integrityOf(code) {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`;
}
