/** HTML that is safe to send: its parts are markup of the service, and texts that were escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | Html | readonly Html[] | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Writes HTML. Every text between the markup is escaped, for elements and for attributes in quotes; undefined is empty. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: markup }, ...parts.map(write)));
}

function write(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeHtml(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('\n');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
