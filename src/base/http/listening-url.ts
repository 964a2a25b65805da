/**
 * Builds the URL of a server by the address at which it listens. An IPv6 address is in brackets there. Pure.
 * @param host without brackets
 */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
