import { expect, test } from 'vitest';
import { createMail } from '../../../src/delivery/smtp/create-mail.ts';
import { startMailReceiver } from '../../helpers/alert-receivers.ts';

const MESSAGE = {
  id: 'message-1',
  subject: '[Fossick search.example] ERROR: Die Größe\r\nBcc: evil@example.com',
  text: 'Fossick at search.example\n.\nERROR: Grüße',
  content: {},
};
const ROUTE = { from: 'fossick@search.example', to: ['ops@example.com', 'web@example.com'] };
const never = new AbortController().signal;

test('a message is taken by the server, and what it said is told', async () => {
  await using receiver = await startMailReceiver();

  const receipt = await createMail({ url: receiver.url, ...ROUTE })(MESSAGE, never);

  expect(receipt).toEqual({ taken: true, said: '250 2.0.0 Ok: queued as 4F2A' });
  const [mail] = receiver.mails;
  expect(mail).toMatchObject(ROUTE);
  expect(mail?.text).toContain('From: Fossick <fossick@search.example>');
  expect(mail?.text).toContain('To: ops@example.com, web@example.com');
  expect(mail?.text).toContain('Message-ID: <message-1@search.example>');
  expect(mail?.text).toContain('Auto-Submitted: auto-generated');
  expect(mail?.text).toContain('\n.\nERROR: Gr=C3=BC=C3=9Fe');
  expect(mail?.text).not.toMatch(/^Bcc:/m);
});

test('user name and password of the address are given to the server', async () => {
  await using receiver = await startMailReceiver();

  await createMail({ url: `smtp://ops:p%40ss@127.0.0.1:${receiver.port}`, ...ROUTE })(MESSAGE, never);

  const credentials = Buffer.from('\0ops\0p@ss').toString('base64');
  expect(receiver.commands).toContain(`AUTH PLAIN ${credentials}`);
});

test('a password goes to another machine over TLS only', async () => {
  await using receiver = await startMailReceiver();
  // Another name for this machine, which is not known to be it.
  const url = `smtp://ops:pass@[::ffff:127.0.0.1]:${receiver.port}`;

  const receipt = await createMail({ url, ...ROUTE })(MESSAGE, never);

  expect(receipt.taken).toBe(false);
  expect(receiver.commands.some((command) => command.startsWith('AUTH'))).toBe(false);
});

test.each([
  [
    'refuses the sender',
    (line: string) => (line.startsWith('MAIL') ? '550 5.7.1 not you' : undefined),
    '550 5.7.1 not you',
  ],
  [
    'refuses every address',
    (line: string) => (line.startsWith('RCPT') ? '550 5.1.1 unknown' : undefined),
    '550 5.1.1 unknown',
  ],
  ['is busy', (line: string) => (line === 'END' ? '451 4.3.0 later' : undefined), '451 4.3.0 later'],
])('a server that %s takes nothing, and says why', async (_name, answer, said) => {
  await using receiver = await startMailReceiver({ answer });

  const receipt = await createMail({ url: receiver.url, ...ROUTE })(MESSAGE, never);

  expect(receipt.taken).toBe(false);
  expect(receipt.said).toContain(said);
});

test('a message that one address of two refuses is taken', async () => {
  await using receiver = await startMailReceiver({
    answer: (line) => (line.includes('web@example.com') ? '550 5.1.1 unknown' : undefined),
  });

  const receipt = await createMail({ url: receiver.url, ...ROUTE })(MESSAGE, never);

  expect(receipt).toEqual({ taken: true, said: '250 2.0.0 Ok: queued as 4F2A (refused: web@example.com)' });
});

test('a server that is not there, never speaks, or is not waited for any more takes nothing', async () => {
  const gone = await startMailReceiver();
  await gone[Symbol.asyncDispose]();
  await using silent = await startMailReceiver({ answer: () => '' });

  const refused = await createMail({ url: gone.url, ...ROUTE })(MESSAGE, never);
  const late = await createMail({ url: silent.url, withinMs: 50, ...ROUTE })(MESSAGE, never);
  const aborted = await createMail({ url: silent.url, ...ROUTE })(MESSAGE, AbortSignal.abort());

  expect(refused).toMatchObject({ taken: false, said: expect.stringContaining('ECONNREFUSED') });
  expect(late.taken).toBe(false);
  expect(aborted.taken).toBe(false);
});
