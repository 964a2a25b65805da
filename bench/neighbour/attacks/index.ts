import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attack';
import { largeValueAttacks } from './large-values';
import { requestAttacks } from './requests';
import { sentenceAttacks } from './sentences';
import { serverAttacks } from './servers';
import { toolAttacks } from './tools';

/** What one tenant may send to stop the others. */
export const ATTACKS: readonly Attack[] = [
  ...serverAttacks,
  ...sentenceAttacks,
  ...toolAttacks,
  ...largeValueAttacks,
  ...requestAttacks,
];

/** What all others are compared with. The amount is that of seconds. */
export const NO_ATTACK: Attack = {
  name: 'nothing',
  amount: { few: 5, all: 10 },
  send: ({ signal }, seconds) => delay(seconds * 1_000, undefined, { signal }),
};
