// Serves a folder on 127.0.0.1 as a plain web server does: index.html for folders, ETag, 404, correct types.
// Usage: node scripts/serve-folder.mjs <folder> <port>
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.pdf': 'application/pdf',
};

const [folder, port] = process.argv.slice(2);
if (folder === undefined || port === undefined) {
  console.error('usage: node scripts/serve-folder.mjs <folder> <port>');
  process.exit(2);
}
const root = await realpath(folder);

createServer(async (request, response) => {
  const fail = (status) => response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
  try {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = normalize(join(root, decodeURIComponent(pathname)));
    if (path !== root && !path.startsWith(root + sep)) return fail(404);
    const info = await stat(path);
    if (info.isDirectory() && !pathname.endsWith('/')) {
      return response.writeHead(301, { location: `${pathname}/` }).end();
    }
    const file = info.isDirectory() ? join(path, 'index.html') : path;
    const { size, mtimeMs } = await stat(file);
    const etag = `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`;
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': size, etag });
    return createReadStream(file).pipe(response);
  } catch {
    return fail(404);
  }
}).listen(Number(port), '127.0.0.1', () => console.log(`${root} is at http://127.0.0.1:${port}/`));
