import type { Area } from './tools';

/** The compiler rejects a list that differs from the type. */
const IS_AREA: Readonly<Record<Area, true>> = {
  tools: true,
  workflow: true,
  agent: true,
  intent: true,
  memory: true,
  'memory-chat': true,
  records: true,
};

export const AREAS = Object.keys(IS_AREA) as [Area, ...Area[]];
