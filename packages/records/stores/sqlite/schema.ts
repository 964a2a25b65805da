import type { Migration } from '../../../../src/stores/sqlite/migrate';

/**
 * The schema of the records' file, in the order of its migrations. A released migration is never changed, moved or removed.
 *
 * Each collection is a table. `body` has the fields that callers see, and the other columns are those to filter and sort by. The
 * index of a field that is compared for equality also has `createdAt`, which is the usual order of a list.
 */
export const RECORD_MIGRATIONS: readonly Migration[] = [
  {
    name: 'records',
    up: (database) => {
      database.exec(FACILITIES + SHIPMENTS + CONTAMINANTS + INSPECTIONS + TAGS + REFERENCES + MOVEMENTS);
    },
  },
];

function collection(name: string, fields: { text: string[]; number: string[]; time: string[] }): string {
  const column = (type: string) => (field: string) => `"${field}" ${type}`;
  const columns = [
    ...[...fields.text, ...fields.time].map(column('TEXT')),
    ...fields.number.map(column('REAL')),
  ];
  const ordered = ['createdAt', 'updatedAt', ...fields.time, ...fields.number];
  return `
    CREATE TABLE ${name} (
      key INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL,
      "createdAt" TEXT NOT NULL,
      "updatedAt" TEXT NOT NULL,
      ${columns.join(', ')},
      text TEXT NOT NULL,
      body TEXT NOT NULL,
      movement TEXT
    ) STRICT;
    ${fields.text.map((field) => `CREATE INDEX "${name}_${field}" ON ${name} ("${field}", "createdAt", id);`).join('\n')}
    ${ordered.map((field) => `CREATE INDEX "${name}_${field}" ON ${name} ("${field}", id);`).join('\n')}
    CREATE INDEX ${name}_text ON ${name} (text);
  `;
}

const FACILITIES = collection('facilities', {
  text: [
    'name',
    'kind',
    'status',
    'gln',
    'city',
    'region',
    'countryCode',
    'licenceNumber',
    'licenceAuthority',
  ],
  number: ['storageTonnes', 'latitude', 'longitude'],
  time: ['licenceValidUntil'],
});

const SHIPMENTS = collection('shipments', {
  text: [
    'reference',
    'sscc',
    'status',
    'originFacilityId',
    'destinationFacilityId',
    'carrier',
    'temperatureExcursion',
  ],
  number: ['quantityKilograms'],
  time: ['departureAt', 'arrivalAt'],
}).concat('CREATE INDEX "shipments_status_departureAt" ON shipments (status, "departureAt", id);');

const CONTAMINANTS = collection('contaminants', {
  text: ['name', 'class', 'unit', 'casNumber'],
  number: ['limitValue', 'detectionCount'],
  time: ['lastDetectedAt'],
});

const INSPECTIONS = collection('inspections', {
  text: ['facilityId', 'shipmentId', 'kind', 'result', 'inspector', 'organisation'],
  number: ['findingCount'],
  time: ['inspectedAt'],
});

/** The values of fields that have several of them. */
const TAGS = `
  CREATE TABLE tags (
    collection TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (collection, name, value, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_of_record ON tags (collection, id);
`;

const REFERENCES = `
  CREATE TABLE record_references (
    target_collection TEXT NOT NULL,
    target_id TEXT NOT NULL,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    field TEXT NOT NULL,
    PRIMARY KEY (target_collection, target_id, collection, id, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX references_of_record ON record_references (collection, id);
`;

/** The movements of goods by facility and by each key of `match-keys.ts`, in the order of time. */
const MOVEMENTS = ['departures', 'arrivals']
  .map(
    (name) => `
      CREATE TABLE ${name} (
        facility TEXT NOT NULL,
        match TEXT NOT NULL,
        at TEXT NOT NULL,
        shipment TEXT NOT NULL,
        PRIMARY KEY (facility, match, at, shipment)
      ) STRICT, WITHOUT ROWID;
    `,
  )
  .join('');
