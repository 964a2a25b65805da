import type { Pane } from '../pane';
import { Memory } from './memory';

export const memory: Pane = { id: 'memory', title: 'Memory', Pane: Memory };
