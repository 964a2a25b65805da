import type { Pane } from '../pane';
import { Runs } from './runs';

export const runs: Pane = { id: 'runs', title: 'Runs', Pane: Runs };
