import type { Pane } from '../pane';
import { Try } from './try';

export const tryOut: Pane = { id: 'try', title: 'Try', Pane: Try };
