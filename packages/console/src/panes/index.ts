import { may } from '../session';
import { Chat } from './chat/chat';
import { Memory } from './memory/memory';
import { hasSections, Operate } from './operate/operate';
import type { Pane } from './pane';
import { Runs } from './runs/runs';
import { Try } from './try/try';
import { useOpenCount } from './waiting/open-count';
import { Waiting } from './waiting/waiting';

const mayRead = (): boolean => may('read');

/** All panes, in the order of the navigation. The first one is shown at `/console`. */
export const panes: readonly Pane[] = [
  { id: 'runs', isShown: mayRead, title: 'Runs', Pane: Runs },
  { id: 'waiting', isShown: mayRead, title: 'Waiting', Pane: Waiting, useCount: useOpenCount },
  { id: 'try', isShown: mayRead, title: 'Try', Pane: Try },
  { id: 'chat', isShown: mayRead, title: 'Chat', Pane: Chat },
  { id: 'memory', isShown: () => may('memory'), title: 'Memory', Pane: Memory },
  { id: 'operate', isShown: hasSections, title: 'Operate', Pane: Operate },
];
