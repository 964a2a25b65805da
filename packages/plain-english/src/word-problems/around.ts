import { type Item, JOINTS } from './items';
import { wordAt } from './nouns';

export function wordsBefore(items: readonly Item[], at: number): string {
  let start = at;
  while (start > 0 && items[start - 1]?.kind === 'word' && !JOINTS.has(wordAt(items, start - 1))) start--;
  return items
    .slice(start, at)
    .map(({ text }) => text)
    .join(' ');
}

export function wordsAfter(items: readonly Item[], at: number): string {
  let end = at;
  while (items[end]?.kind === 'word' && !JOINTS.has(wordAt(items, end))) end++;
  return items
    .slice(at, end)
    .map(({ text }) => text)
    .join(' ');
}
