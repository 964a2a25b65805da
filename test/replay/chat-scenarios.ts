import { setTimeout as delay } from 'node:timers/promises';
import { type Behaviour, says } from '../support/model-server';
import type { ModelScenario } from './model-scenarios';

/** Long enough for the next turn to arrive and to ask this one. */
const SLOW_MS = 1_500;

const slowly =
  (behaviour: Behaviour): Behaviour =>
  async (request, response) => {
    await delay(SLOW_MS);
    await behaviour(request, response);
  };

/** Messages of memory chat, whose embedding model is that of the settings. */
export function chatScenarios(): ModelScenario[] {
  const path = '/api/memory-chat/chat';
  const before = [
    { path: '/api/memory/reindex', body: {} },
    { path: '/api/memory-chat/initialize', body: {} },
  ];
  const turn = (name: string, fields: object, ...model: Behaviour[]): ModelScenario => ({
    name: `memoryChatTurn-${name}`,
    before,
    path,
    body: { userId: 'ann', sessionId: 'session-1', message: 'I keep bees', ...fields },
    model,
  });
  /** A turn that arrives while the one before it waits for a slow model. */
  const behind = (name: string): ModelScenario => ({
    ...turn(name, { message: 'and hens' }, slowly(says('Noted.')), says('Noted, too.')),
    ahead: { path, body: { userId: 'ann', sessionId: 'session-1', message: 'I keep bees' } },
  });
  return [
    turn('answered', {}, says('Noted.')),
    turn('rules', { message: 'What do I keep?', options: { model: 'builtin' } }),
    turn('without-memories', { includeMemories: false }, says('Noted.')),
    behind('behind-another'),
  ];
}
