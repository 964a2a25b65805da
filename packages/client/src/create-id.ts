/** Creates a random id. Pages that did not come over HTTPS have no `crypto.randomUUID`. */
export function createId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
