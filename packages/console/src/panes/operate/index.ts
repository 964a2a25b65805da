import type { Pane } from '../pane';
import { Operate } from './operate';

export const operate: Pane = { id: 'operate', title: 'Operate', Pane: Operate };
