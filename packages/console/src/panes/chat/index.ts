import type { Pane } from '../pane';
import { Chat } from './chat';

export const chat: Pane = { id: 'chat', title: 'Chat', Pane: Chat };
