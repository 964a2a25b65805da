import { sentencesOf } from '../text/sentences';
import { stem } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Prompt } from './prompt';

const ASKING = /\b(?:summari[sz]e|summary|tl;?dr|main point|key point|gist|shorten)\b/i;
const COUNT = /\b(?:in|to|into)\s+(one|two|three|four|five|\d)\s+(?:short\s+)?sentences?\b/i;
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five'];
/** More sentences than these are not compared. */
const MAX_SENTENCES = 500;

/** `summarise: …`: the sentences whose words are the most frequent, in their order. Extractive: no word is new. */
export function answerSummary({ instruction, subject }: Prompt): string | undefined {
  if (subject === '' || !ASKING.test(instruction)) return undefined;
  const asked = COUNT.exec(instruction)?.[1]?.toLowerCase() ?? 'one';
  const count = Math.max(1, WORDS.includes(asked) ? WORDS.indexOf(asked) : Number(asked));
  const sentences = splitSentences(subject);
  const central = mostCentral(sentences, count).join(' ');
  return central === ''
    ? undefined
    : `${central} (extractive summary: ${Math.min(count, sentences.length)} of ${sentences.length} sentences)`;
}

export function splitSentences(text: string): string[] {
  return sentencesOf(text)
    .slice(0, MAX_SENTENCES)
    .map((tokens) => text.slice(tokens[0]?.start, tokens.at(-1)?.end))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function mostCentral(sentences: readonly string[], count: number): string[] {
  const stems = sentences.map((sentence) => contentStems(sentence));
  const frequency = new Map<string, number>();
  for (const word of stems.flat()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const scored = stems.map((own, index) => {
    const sum = own.reduce((total, word) => total + (frequency.get(word) ?? 0), 0);
    // By the root of the length, so that neither the longest nor the shortest sentence wins for that.
    return { index, score: own.length === 0 ? 0 : sum / Math.sqrt(own.length) };
  });
  const chosen = new Set(
    [...scored]
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, count)
      .map(({ index }) => index),
  );
  return sentences.filter((_, index) => chosen.has(index));
}

function contentStems(sentence: string): string[] {
  return (sentence.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);
}
