const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '‘': '’',
  '«': '»',
};
/** Longest text taken for a quotation; also what bounds the search for a closing mark that is not there. */
const MAX_LENGTH = 8_000;

/** The quotation that starts here. An apostrophe closes one only where no letter follows. */
export function findQuoted(
  source: string,
  start: number,
): { readonly end: number; readonly inner: string } | undefined {
  const closing = CLOSING[source.charAt(start)];
  if (closing === undefined) return undefined;
  const single = closing === "'" || closing === '’';
  for (let at = start + 1; ;) {
    const found = source.indexOf(closing, at);
    if (found === -1 || found === start + 1 || found - start > MAX_LENGTH) return undefined;
    if (single && /[\p{L}\p{N}]/u.test(source.charAt(found + 1))) {
      at = found + 1;
      continue;
    }
    return { end: found + 1, inner: source.slice(start + 1, found) };
  }
}
