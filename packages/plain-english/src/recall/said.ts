import { tokenize } from '../text/tokenizer';
import { toSecondPerson } from './person';
import type { RecalledText } from './types';

/** As much of a memory as is read, characters. */
const MAX_READ = 4_000;

/** The text as the user would say it; of general knowledge, only what it says of the user. */
export function saidIn({ kind, role, text }: RecalledText): string {
  const read = text.slice(0, MAX_READ);
  if (kind === 'semantic') return /\buser\b/i.test(read) ? ofUser(read) : '';
  return role === 'assistant' ? toSecondPerson(read, tokenize(read).tokens) : read;
}

function ofUser(text: string): string {
  return text
    .replace(/^[^:\n.]{1,120}[:\n]\s*(?=\S)/, '')
    .replace(/\b(?:the )?user's\b/gi, 'my')
    .replace(/\b(?:the )?user is\b/gi, 'I am')
    .replace(/\b(?:the )?user\b/gi, 'I');
}
