/** What other dialects of JSONPath write, and what RFC 9535 has for it. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/@\.length\s*-\s*1/, 'the last item is $.a[-1]'],
  [/\.length\(\)/, 'length() stands in filters only, as in $.a[?length(@.b) > 2]'],
  [/=~/, 'a pattern is $.a[?search(@.b, "pattern")]'],
  [/\.@/, "such a name is written $['@src']"],
];

/** Says how RFC 9535 writes what a query that cannot be read may mean, for its error; nothing where that is not known. Pure. */
export function hintForQuery(path: string): string {
  const hint = HINTS.find(([pattern]) => pattern.test(path))?.[1];
  return hint === undefined ? '' : `; in RFC 9535 ${hint}`;
}
