import { once } from 'node:events';
import { createServer } from 'node:net';

/** Something that speaks as an older PostgreSQL does, as far as somebody asks for its version; ended by its owner. */
export async function startOldPostgres(version: string, versionNumber: number) {
  const server = createServer((socket) => {
    let isStarted = false;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.concat([message('R', int32(0)), READY]));
        return;
      }
      // Queries may come together; each is `Q`, a length and a text.
      for (let at = 0; at < bytes.length && bytes[at] === 'Q'.charCodeAt(0); at += 1 + bytes.readInt32BE(at + 1)) {
        const text = bytes.subarray(at + 5, at + bytes.readInt32BE(at + 1)).toString();
        const name = /SHOW (?<name>\w+)/.exec(text)?.groups?.['name'] ?? '';
        socket.write(row(name, name === 'server_version' ? version : String(versionNumber)));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://fossick@127.0.0.1:${port}/fossick`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

const READY = message('Z', Buffer.from('I'));
const TEXT_OID = 25;

function row(name: string, value: string): Buffer {
  const column = Buffer.concat([
    Buffer.from(`${name}\0`),
    int32(0),
    int16(0),
    int32(TEXT_OID),
    int16(-1),
    int32(-1),
    int16(0),
  ]);
  const bytes = Buffer.from(value);
  return Buffer.concat([
    message('T', Buffer.concat([int16(1), column])),
    message('D', Buffer.concat([int16(1), int32(bytes.length), bytes])),
    message('C', Buffer.from('SHOW\0')),
    READY,
  ]);
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
