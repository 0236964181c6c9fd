import { tmpdir } from 'node:os';
import type { Browser } from 'playwright';

export type LaunchOptions = {
  readonly executablePath: string;
  readonly proxyServer: string;
  /** Chromium's own isolation of what pages run. Needs user namespaces, and another user than root. */
  readonly sandbox: boolean;
};

/**
 * Reliability 8: the proxy is the only way out, also to loopback; no name is resolved inside; nothing goes over UDP.
 * Its environment holds nothing of this process.
 */
export async function launchChromium({ executablePath, proxyServer, sandbox }: LaunchOptions): Promise<Browser> {
  // Loaded with the first page: it is large.
  const { chromium } = await import('playwright');
  return chromium.launch({
    executablePath,
    chromiumSandbox: sandbox,
    proxy: { server: proxyServer, bypass: '<-loopback>' },
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--disable-quic',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--disable-sync',
      '--no-pings',
      '--dns-prefetch-disable',
    ],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir(), LANG: 'C.UTF-8', TZ: 'UTC' },
    timeout: LAUNCH_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

const LAUNCH_MS = 20_000;
