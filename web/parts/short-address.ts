/** An address as people read it: the host, and the folders without their signs. */
export function shortAddress(address: string): string {
  const url = URL.parse(address);
  if (!url?.host) return address;
  const path = readablePath(url.pathname).replace(/\/(index\.html?)?$/, '');
  return [url.host, ...path.split('/').filter(Boolean)].join(' › ');
}

/** A path with broken escapes is shown as it stands. */
function readablePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
