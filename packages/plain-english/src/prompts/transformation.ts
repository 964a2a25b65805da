import type { Prompt } from './prompt';
import { splitSentences } from './summary';

/** Counts, letter case, lists and first sentences of the text given. */
export function answerTransformation({ instruction, subject }: Prompt): string | undefined {
  if (subject === '') return undefined;
  const asked = instruction.toLowerCase();
  const counted = countOf(asked, subject);
  if (counted !== undefined) return String(counted);
  if (/\b(?:upper ?-?case|capital letters|capitals|all caps)\b/.test(asked)) return subject.toUpperCase();
  if (/\b(?:lower ?-?case|small letters)\b/.test(asked)) return subject.toLowerCase();
  if (/\breverse\b/.test(asked)) return Array.from(subject).reverse().join('');
  if (/\bfirst sentence\b/.test(asked)) return splitSentences(subject)[0];
  if (/\blast sentence\b/.test(asked)) return splitSentences(subject).at(-1);
  if (/\bfirst word\b/.test(asked)) return words(subject)[0];
  if (/\blast word\b/.test(asked)) return words(subject).at(-1);
  if (/\b(?:bullet|bulleted|as a list|list of (?:the )?items|list the items|turn .* list)\b/.test(asked))
    return bullets(subject);
  return undefined;
}

function countOf(asked: string, subject: string): number | undefined {
  if (!/\b(?:how many|count|number of)\b/.test(asked)) return undefined;
  if (/\bwords?\b/.test(asked)) return words(subject).length;
  if (/\blines?\b/.test(asked)) return subject.split('\n').length;
  if (/\b(?:characters?|letters?)\b/.test(asked)) {
    return asked.includes('letter') ? (subject.match(/\p{L}/gu) ?? []).length : Array.from(subject).length;
  }
  if (/\bsentences?\b/.test(asked)) return splitSentences(subject).length;
  return undefined;
}

function words(subject: string): string[] {
  return subject.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
}

function bullets(subject: string): string {
  return subject
    .split(/\n|,\s*(?:and\s+)?|;\s*|\s+and\s+/)
    .map((item) => item.trim().replace(/[.]$/, ''))
    .filter((item) => item !== '')
    .map((item) => `- ${item}`)
    .join('\n');
}
