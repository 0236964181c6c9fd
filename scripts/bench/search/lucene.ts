import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../peers/lucene/', import.meta.url));
/** Outside the repository: packages and classes that are made once. */
const CACHE = join(tmpdir(), 'fossick-bench-lucene');
const JARS = join(CACHE, 'jars');
const CLASSES = join(CACHE, 'classes');
const LEAST_JAVA = 21;

/** Lucene by name of the engine: with exact totals and facets as all do, and as it searches unasked. */
const MODES: ReadonlyMap<string, string> = new Map([
  ['lucene', 'counted'],
  ['lucene-top', 'top'],
]);

export function isLucene(name: string): boolean {
  return MODES.has(name);
}

/**
 * Fetches Lucene by Maven on first use and compiles its contestant with the JDK of `JAVA_HOME`, else of the path.
 * Returns why that cannot be, undefined = it can run.
 */
export function prepareLucene(): string | undefined {
  const version = spawnSync(programOf('javac'), ['-version'], { encoding: 'utf8' });
  const major = Number(/^javac (\d+)/.exec(version.stdout ?? '')?.[1] ?? 0);
  if (major < LEAST_JAVA) return `no JDK ${LEAST_JAVA} or later in JAVA_HOME or the path`;
  mkdirSync(CLASSES, { recursive: true });
  if (!existsSync(JARS)) {
    const options = ['-q', '-B', '-f', join(SOURCES, 'pom.xml'), 'dependency:copy-dependencies'];
    const { status } = spawnSync('mvn', [...options, `-DoutputDirectory=${JARS}`], { stdio: 'ignore' });
    if (status !== 0) return 'Maven is missing or cannot fetch its packages (scripts/bench/peers/lucene/pom.xml)';
  }
  const files = readdirSync(SOURCES).filter((file) => file.endsWith('.java'));
  const options = ['-nowarn', '-d', CLASSES, '-cp', `${JARS}/*`, ...files.map((file) => join(SOURCES, file))];
  const { status, stderr } = spawnSync(programOf('javac'), options, { encoding: 'utf8' });
  return status === 0 ? undefined : `it does not compile: ${stderr.slice(0, 300)}`;
}

/** How its process is started: with vector instructions, and a collector that adds no work beside the search. */
export function luceneCommand(name: string, heapMb: number): { readonly file: string; readonly options: string[] } {
  const java = ['-XX:+UseSerialGC', '--add-modules=jdk.incubator.vector', '--enable-native-access=ALL-UNNAMED'];
  const program = ['-cp', `${CLASSES}:${JARS}/*`, 'LucenePeer', MODES.get(name) ?? ''];
  return { file: programOf('java'), options: [`-Xmx${heapMb}m`, ...java, ...program] };
}

function programOf(name: string): string {
  const home = process.env['JAVA_HOME'];
  return home === undefined ? name : join(home, 'bin', name);
}
