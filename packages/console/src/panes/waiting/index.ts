import type { Pane } from '../pane';
import { useOpenCount } from './open-count';
import { Waiting } from './waiting';

export const waiting: Pane = { id: 'waiting', title: 'Waiting', Pane: Waiting, useCount: useOpenCount };
