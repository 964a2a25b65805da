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
