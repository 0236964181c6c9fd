import { createTransport } from 'nodemailer';
import { DELIVER_WITHIN_MS, type Deliver, shortened } from '../deliver.ts';

type MailOptions = {
  /** `smtp:` or `smtps:` with user name and password, as the operator configured it; it may be private. */
  readonly url: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly withinMs?: number;
};

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Sends the text by SMTP; whoever takes it for one of the addresses has taken it. TLS begins with the connection
 * (`smtps:`), or as soon as the server offers it. A password goes over TLS only, except to this machine.
 */
export function createMail({ url, from, to, withinMs = DELIVER_WITHIN_MS }: MailOptions): Deliver {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return async ({ id, subject, text }, signal) => {
    const transport = createTransport({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (isSecure ? 465 : 587),
      secure: isSecure,
      requireTLS: username !== '' && !LOOPBACK.test(hostname),
      opportunisticTLS: true,
      ...(username !== '' && { auth }),
      connectionTimeout: withinMs,
      greetingTimeout: withinMs,
      socketTimeout: withinMs,
      dnsTimeout: withinMs,
      allowInternalNetworkInterfaces: true,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const { response, rejected } = await transport.sendMail({
        from: { name: 'Fossick', address: from },
        to: to.map((address) => ({ name: '', address })),
        subject,
        text,
        messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
      });
      const refused = rejected.length === 0 ? '' : ` (refused: ${rejected.join(', ')})`;
      return { taken: true, said: shortened(response + refused) };
    } catch (error) {
      return { taken: false, said: reasonOf(error) };
    } finally {
      transport.close();
    }
  };
}

/** What the server said, or what became of the connection. */
function reasonOf(error: unknown): string {
  const { response, code, message } = error as {
    readonly response?: unknown;
    readonly code?: unknown;
    readonly message?: unknown;
  };
  if (typeof response === 'string') return shortened(response);
  const reason = typeof code === 'string' && code !== 'ABORT_ERR' ? `${code}: ${String(message)}` : 'no answer in time';
  return shortened(`the server did not take it (${reason})`);
}
