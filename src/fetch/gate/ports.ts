/** Ports from 1024 on that browsers refuse (WHATWG Fetch, "bad port"): other protocols listen there. */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export function isPortAllowed(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !BAD_PORTS.has(port));
}
