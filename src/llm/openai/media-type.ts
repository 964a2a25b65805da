/** Whether the body of a response is JSON, by its content type. */
export function isJson({ headers }: { readonly headers: { get(name: string): string | null } }): boolean {
  return /\bjson\b/i.test(headers.get('content-type') ?? '');
}
