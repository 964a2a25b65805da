/** A request as a command for a terminal. It takes the key from the environment, so that no key is copied. Pure. */
export function curlLine(
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: unknown },
  origin: string,
  needsKey: boolean,
): string {
  const parts = ['curl -s'];
  if (method !== 'GET') parts.push(`-X ${method}`);
  parts.push(quote(`${origin}${path}`));
  if (needsKey) parts.push('-H "Authorization: Bearer $HOLDFAST_API_KEY"');
  if (body !== undefined) parts.push(`-H 'content-type: application/json' -d ${quote(JSON.stringify(body))}`);
  return parts.join(' ');
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
