import { type Answer, request } from './http';

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A file within a request. */
export function attached(name: string, type: string, content: string | Uint8Array): object {
  return { name, type, data: Buffer.from(content as string).toString('base64') };
}

/** Sends a file for later. */
export function upload(
  url: string,
  { userId, name, type }: { readonly userId: string; readonly name: string; readonly type: string },
  content: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const query = new URLSearchParams({ userId, name }).toString();
  return request(`${url}/api/files?${query}`, {
    method: 'POST',
    body: Buffer.from(content as string),
    headers: { 'content-type': type, ...headers },
  });
}
