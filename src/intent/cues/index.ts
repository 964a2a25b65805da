import type { Cue } from './cue';
import { PERSONAL_CUES } from './personal';
import { TALK_CUES } from './talk';
import { TOOL_CUES } from './tool';

/** Every cue; its place in this list is the place of its weight in the model. */
export const CUES: readonly Cue[] = [...PERSONAL_CUES, ...TOOL_CUES, ...TALK_CUES];
