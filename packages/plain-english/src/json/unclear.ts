/** Why a question about a document has no answer; caught by the reader of such questions. */
export class Unclear extends Error {}

const SHOWN_LENGTH = 80;

export function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_LENGTH));
}
