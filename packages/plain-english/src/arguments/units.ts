import vocabulary from './vocabulary.json';

/** Units of measures, each with what it is of the measure's first. */
const MEASURES: Readonly<Record<string, Readonly<Record<string, number>>>> = vocabulary.measures;

export interface Unit {
  readonly measure: string;
  readonly size: number;
}

/** The unit that a word names. */
export function unitOf(word: string): Unit | undefined {
  const single = word.length > 2 && word !== 'celsius' && word.endsWith('s') ? word.slice(0, -1) : word;
  for (const [measure, units] of Object.entries(MEASURES)) {
    const size = Object.hasOwn(units, single) ? units[single] : undefined;
    if (size !== undefined) return { measure, size };
  }
  return undefined;
}
