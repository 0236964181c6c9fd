import { readConfig } from '../config/read-config.ts';
import { operatorTokenPath, readSecretFile } from '../config/secret-file.ts';
import { AppError } from '../core/errors.ts';
import { type Client, createClient } from './client.ts';

export type ConnectOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** `--url` and `--token`. */
  readonly url: string | undefined;
  readonly token: string | undefined;
};

/**
 * A client of the installation: what is not given comes from its configuration, the token last from
 * `DATA_DIR/operator-token`.
 * @throws AppError `auth.invalid` when there is no token · `request.invalid` for a wrong address or configuration
 */
export async function connect({ environment, folder, url, token }: ConnectOptions): Promise<Client> {
  if (url !== undefined && token !== undefined) {
    return createClient({ url: address(url), token, whenRefused: OTHER_TOKEN });
  }
  const { config } = await readConfig({ environment, folder });
  const { HOST: host, PORT: port, ADMIN_PORT: adminPort, OPERATOR_TOKEN: configured, DATA_DIR: dataDir } = config;
  const path = operatorTokenPath(dataDir);
  const given = token ?? configured;
  const kept = given ?? (await readSecretFile(path));
  if (kept === undefined) {
    const message = `There is no operator token in ${path}: start the product with npm start, set DATA_DIR and PORT as it was started with, or give --token`;
    throw new AppError('auth.invalid', message);
  }
  const whenRefused =
    token === undefined ? otherInstallation(given === undefined ? path : 'OPERATOR_TOKEN') : OTHER_TOKEN;
  if (url !== undefined) return createClient({ url: address(url), token: kept, whenRefused });
  const base = `http://${reachable(host)}`;
  return createClient({ url: `${base}:${adminPort || port}`, publicUrl: `${base}:${port}`, token: kept, whenRefused });
}

const OTHER_TOKEN = 'give the right one with --token, or leave it out in the folder where the product was started';

/** The token is right, but for another installation than the one that answers. */
function otherInstallation(source: string): string {
  return `the token came from ${source}: set DATA_DIR and PORT as for npm start, or give --url and --token`;
}

/** An address that means "all" is reached over loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function address(url: string): string {
  const read = URL.parse(url);
  if (read !== null && ['http:', 'https:'].includes(read.protocol)) return url.replace(/\/+$/, '');
  throw new AppError('request.invalid', `--url must be an address such as http://127.0.0.1:8080, not ${url}`);
}
