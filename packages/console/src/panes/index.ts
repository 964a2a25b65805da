import type { ComponentType } from 'preact';
import { may } from '../session';
import { Chat } from './chat/chat';
import { Memory } from './memory/memory';
import { hasSections, Operate } from './operate/operate';
import { Runs } from './runs/runs';
import { Try } from './try/try';
import { useOpenCount, Waiting } from './waiting/waiting';

/** A pane of the console: an entry of the navigation and what it shows. */
export interface Pane {
  /** Its name in the address. `g` and its first letter lead to it. */
  readonly id: string;
  readonly title: string;
  readonly Pane: ComponentType;
  /** Whether the key may see it. */
  readonly isShown: () => boolean;
  /** A hook for the number beside its title, such as that of open approvals; 0 is not shown. */
  readonly useCount?: () => number;
}

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
