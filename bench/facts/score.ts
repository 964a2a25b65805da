import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Life, type Verdict } from './life';

const FOLDER = resolve(__dirname, '..', '..', '..', 'bench', 'facts', 'lives');

/** The lives of one half: those that rules are written with, or those that are held out. */
export function readLives(half: 'development' | 'held-out', folder = FOLDER): Life[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(half))
    .sort()
    .flatMap((name) => z.array(Life).parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}

export type Score = Readonly<Record<Verdict, number>> & { readonly kind: string; readonly lives: number };

/** Counts verdicts, by kind of change and in all. */
export function score(judged: readonly { readonly life: Life; readonly verdict: Verdict }[]): Score[] {
  const kinds = [...new Set(judged.map(({ life }) => life.kind)), 'all'];
  return kinds.map((kind) => {
    const of = judged.filter(({ life }) => kind === 'all' || life.kind === kind);
    const count = (verdict: Verdict): number => of.filter((one) => one.verdict === verdict).length;
    return {
      kind,
      lives: of.length,
      right: count('right'),
      stale: count('stale'),
      never: count('never'),
      refused: count('refused'),
    };
  });
}
