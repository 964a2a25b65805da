import { PlainEnglishError } from '../errors';

/** Why a question about a document has no answer. */
export class Unclear extends PlainEnglishError {
  constructor(message: string) {
    super(message, { field: 'query', message, missing: 'path', toolName: 'json_reader' });
  }
}

const SHOWN_LENGTH = 80;

export function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_LENGTH));
}
