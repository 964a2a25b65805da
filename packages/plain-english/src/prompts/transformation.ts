import type { Prompt } from './prompt';
import { splitSentences } from './summary';

/** Counts, and letter case, of the text given. */
export function answerTransformation({ instruction, subject }: Prompt): string | undefined {
  if (subject === '') return undefined;
  const asked = instruction.toLowerCase();
  const counted = countOf(asked, subject);
  if (counted !== undefined) return String(counted);
  if (/\b(?:upper ?-?case|capital letters|capitals|all caps)\b/.test(asked)) return subject.toUpperCase();
  if (/\b(?:lower ?-?case|small letters)\b/.test(asked)) return subject.toLowerCase();
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
