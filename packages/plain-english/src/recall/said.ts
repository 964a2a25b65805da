import { tokenize } from '../text/tokenizer';
import { toSecondPerson } from './person';
import type { RecalledText } from './types';

/** As much of a memory as is read, characters. */
const MAX_READ = 4_000;

/** `mother in law` without its hyphens would read as a mother. */
const IN_LAW = /\b(mother|father|sister|brother|son|daughter) in law\b/gi;

/** The text as the user would say it; of general knowledge, only what it says of the user. */
export function saidIn({ kind, role, text }: RecalledText): string {
  const read = text.slice(0, MAX_READ).replace(IN_LAW, '$1-in-law');
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
