import { Chat } from './chat/chat';
import { Memory } from './memory/memory';
import { Operate } from './operate/operate';
import type { Pane } from './pane';
import { Runs } from './runs/runs';
import { Try } from './try/try';
import { useOpenCount } from './waiting/open-count';
import { Waiting } from './waiting/waiting';

/** All panes, in the order of the navigation. The first one is shown at `/console`. */
export const panes: readonly Pane[] = [
  { id: 'runs', title: 'Runs', Pane: Runs },
  { id: 'waiting', title: 'Waiting', Pane: Waiting, useCount: useOpenCount },
  { id: 'try', title: 'Try', Pane: Try },
  { id: 'chat', title: 'Chat', Pane: Chat },
  { id: 'memory', title: 'Memory', Pane: Memory },
  { id: 'operate', title: 'Operate', Pane: Operate },
];
