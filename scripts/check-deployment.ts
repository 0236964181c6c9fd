/**
 * Reads the compose files and the Kubernetes manifests as Docker Compose and a Kubernetes API do, by their own Go
 * packages (`scripts/deployment-schemas`), with secrets made for the occasion: `node scripts/check-deployment.ts`. It
 * needs Go and, at its first run, the Go module proxy. What is ours in these files `test/unit/deployment.test.ts` holds.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'fossick-deployment-'));
try {
  const manifests = join(folder, 'kubernetes');
  const secrets = join(manifests, 'secrets');
  cpSync(join(ROOT, 'deploy/kubernetes'), manifests, { recursive: true });
  rmSync(secrets, { recursive: true, force: true });
  run('sh', [join(ROOT, 'deploy/make-secrets.sh'), secrets]);
  writeFileSync(join(secrets, 'opensearch-url'), 'https://search.internal:9200');
  run('go', ['run', '-C', join(ROOT, 'scripts/deployment-schemas'), '.', ROOT, manifests]);
} finally {
  rmSync(folder, { recursive: true });
}

function run(program: string, words: readonly string[]): void {
  const { error, status } = spawnSync(program, words, { stdio: 'inherit' });
  if (error !== undefined) console.error(`${program} cannot be run (${error.message}): install it, such as golang-go`);
  if (status !== 0) process.exitCode = 1;
}
