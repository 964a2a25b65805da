import { COMPOSITE_CUES } from './composite';
import type { Cue, Sight } from './cue';
import { PERSONAL_CUES } from './personal';
import { TALK_CUES } from './talk';
import { TOOL_CUES } from './tool';

const PLAIN_CUES: readonly Cue[] = [...PERSONAL_CUES, ...TOOL_CUES, ...TALK_CUES];

/** Every cue; its place in this list is the place of its weight in the model. */
export const CUES: readonly Pick<Cue, 'id' | 'says'>[] = [...PLAIN_CUES, ...COMPOSITE_CUES];

/** The places of the cues that a sentence has, ascending. Pure. */
export function cuesOf(sight: Sight): number[] {
  const found: number[] = [];
  const seen = new Set<string>();
  for (const [index, cue] of PLAIN_CUES.entries()) {
    if (!cue.test(sight)) continue;
    found.push(index);
    seen.add(cue.id);
  }
  for (const [index, cue] of COMPOSITE_CUES.entries()) {
    if (cue.test(seen)) found.push(PLAIN_CUES.length + index);
  }
  return found;
}
