/** Matches the host of an address that only this machine reaches: its name, or its IP address as a URL has it. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Builds the URL of a server by the address at which it listens. An IPv6 address is in brackets there. Pure.
 * @param host without brackets
 */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
