import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Installed = {
  readonly name: string;
  /** Of its only module. */
  readonly code: string;
  /** Of its manifest; null for none. */
  readonly exports?: unknown;
};

/** A package as `npm install --prefix "$DATA_DIR/packages"` would leave it. */
export async function installPackage(dataDir: string, { name, code, exports }: Installed): Promise<void> {
  const folder = join(dataDir, 'packages', 'node_modules', name);
  await mkdir(folder, { recursive: true });
  const entry =
    exports === undefined ? { exports: './index.js' } : { main: 'index.js', ...(exports !== null && { exports }) };
  const manifest = { name, type: 'module', ...entry };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.js'), code);
}

/**
 * A provider of the convention as small as can be, without the AI SDK's own functions: each line of an answer is a part
 * of the stream, requests are objects, and at most two texts are embedded by one call.
 */
export const LINES_PROVIDER = `
  export function createLines({ baseURL = 'http://lines.example/v1', apiKey, headers, fetch }) {
    const post = (path, body, signal) =>
      fetch(new Request(baseURL + path, {
        method: 'POST',
        headers: { ...headers, authorization: apiKey },
        body: JSON.stringify(body),
        signal,
      }));
    return {
      languageModel: (modelId) => ({
        specificationVersion: 'v3',
        provider: 'lines',
        modelId,
        async doStream({ prompt, abortSignal }) {
          const { body } = await post('/lines', { model: modelId, prompt }, abortSignal);
          const parts = new TransformStream({
            transform(line, controller) {
              if (line !== '') controller.enqueue(JSON.parse(line));
            },
          });
          return { stream: body.pipeThrough(new TextDecoderStream()).pipeThrough(lines()).pipeThrough(parts) };
        },
      }),
      embeddingModel: (modelId) => ({
        specificationVersion: 'v3',
        provider: 'lines',
        modelId,
        maxEmbeddingsPerCall: 2,
        async doEmbed({ values, abortSignal }) {
          return (await post('/vectors', { model: modelId, values }, abortSignal)).json();
        },
      }),
    };
  }
  function lines() {
    let rest = '';
    return new TransformStream({
      transform(text, controller) {
        const parts = (rest + text).split('\\n');
        rest = parts.pop();
        for (const part of parts) controller.enqueue(part);
      },
    });
  }
`;
