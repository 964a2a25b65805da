import type { Pane } from './pane';
import { chat } from './chat';
import { memory } from './memory';
import { operate } from './operate';
import { runs } from './runs';
import { tryOut } from './try';
import { waiting } from './waiting';

/** All panes, in the order of the navigation. The first one is shown at `/console`. */
export const panes: readonly Pane[] = [runs, waiting, tryOut, chat, memory, operate];
