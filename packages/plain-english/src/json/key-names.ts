export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.length > 2 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

export function plural(word: string): string {
  if (singular(word) !== word) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
