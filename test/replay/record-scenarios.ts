import { newId } from '../../src/base/ids';
import { facilityRows } from '../support/imports';
import { said } from '../support/memory-imports';
import type { ImportScenario } from './scenario';

/** Work on many records and memories: more than one step, and rows that cannot be created. */
export function importScenarios(): ImportScenario[] {
  const messages = Array.from({ length: 600 }, (_, n) =>
    said(
      n % 2 === 0 ? 'I live in Leeds.' : 'I live in York.',
      new Date(Date.UTC(2024, 0, 1, n)).toISOString(),
    ),
  );
  const parent = newId();
  const concept = {
    kind: 'semantic',
    id: newId(),
    concept: 'x',
    description: 'y',
    relationships: { parent },
  };
  const memories = [...messages, concept, { ...concept, id: parent, relationships: {} }];
  return [
    { name: 'importRecords-imported', rows: [...facilityRows(1_100), 'no JSON'] },
    {
      name: 'importMemories-imported',
      userId: 'imported-user',
      rows: [...memories.map((line) => JSON.stringify(line)), 'no JSON'],
    },
  ];
}
