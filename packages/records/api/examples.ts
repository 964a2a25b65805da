import { DEMO_WORLD } from '../domain/demo-world';

/** The ids are those of the records that `npm run demo` creates; the bodies refer to them. */
export const EXAMPLES = {
  facilities: { exampleId: 'wholesaler-lyon', example: fieldsOf(DEMO_WORLD.facilities, 'wholesaler-lyon') },
  shipments: { exampleId: 'lyon-0414', example: fieldsOf(DEMO_WORLD.shipments, 'lyon-0414') },
  contaminants: { exampleId: 'listeria', example: fieldsOf(DEMO_WORLD.contaminants, 'listeria') },
  inspections: {
    exampleId: 'inspection-lyon-0419',
    example: fieldsOf(DEMO_WORLD.inspections, 'inspection-lyon-0419'),
  },
  lot: 'ROB-0412',
  rows: DEMO_WORLD.facilities
    .map((fields) => JSON.stringify({ collection: 'facilities', ...fields }))
    .join('\n'),
} as const;

/** Returns a record without its id, so that the example can be created repeatedly. */
function fieldsOf<T extends { readonly id: string }>(records: readonly T[], id: string): Omit<T, 'id'> {
  const { id: _id, ...fields } = records.find((record) => record.id === id) ?? ({ id } as T);
  return fields;
}
