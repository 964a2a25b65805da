import composite from './composite.json';
import type { Cue } from './cue';

type Seen = ReadonlySet<string>;

export interface CompositeCue extends Omit<Cue, 'test'> {
  readonly test: (seen: Seen) => boolean;
}

const groups: Readonly<Record<string, string>> = composite.groups;

/** `WORK`: one of a group. `a|b`: one of several. `!`: not so. `2*`: at least two. */
function readTerm(term: string): (seen: Seen) => boolean {
  const [, not, min = '1', names = ''] = /^(!)?(?:(\d)\*)?(.*)$/.exec(term) ?? [];
  const ids = [...new Set(names.split('|').flatMap((name) => (groups[name] ?? name).split(' ')))];
  return (seen) => ids.filter((id) => seen.has(id)).length >= Number(min) === (not === undefined);
}

/**
 * Cues made of other cues, by their ids. Where single cues are rare, what they have in common is not: whichever
 * way work is asked for and whichever way the past is named, together they make a hybrid.
 */
export const COMPOSITE_CUES: readonly CompositeCue[] = composite.cues.map(({ id, says, when }) => {
  const terms = when.split(' ').map(readTerm);
  return { id, says, test: (seen) => terms.every((isSo) => isSo(seen)) };
});
