/**
 * Writes an element of a prompt. Neither its attributes nor its content can close it, so that a model can tell data that anybody
 * may have written from the request. Pure.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content: string,
): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escaped(value)}"`,
  );
  return `<${name}${written.join('')}>${escaped(content)}</${name}>`;
}

/** Writes an element that has others, each on a line. Pure. */
export function listElement(name: string, lines: readonly string[]): string {
  return [`<${name}>`, ...lines, `</${name}>`].join('\n');
}

/** Writes a text so that it neither ends nor begins an element. Pure. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
