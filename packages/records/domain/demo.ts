import { HoldfastError, messageOf } from '../../../src/base/errors';
import { DEMO_WORLD } from './demo-world';

export interface FilledDemo {
  readonly created: number;
  /** Records of an earlier filling, which stay as they are. */
  readonly found: number;
}

export interface DemoCall {
  readonly about: string;
  /** A command for a shell. */
  readonly command: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Creates the records of the demo world.
 * @param url of the records API
 * @param key with the scope `records`; undefined if callers are not authenticated
 * @throws HoldfastError `CONFIGURATION` if no server answers there, or another one than the records API, and if it does not
 * accept the key
 */
export async function fillDemo(url: string, key?: string): Promise<FilledDemo> {
  let created = 0;
  let existing = 0;
  for (const collection of ['facilities', 'shipments', 'inspections', 'contaminants'] as const) {
    for (const fields of DEMO_WORLD[collection]) {
      const status = await post(`${url}/api/${collection}`, fields, key);
      if (status === 201) created += 1;
      else if (status === 409) existing += 1;
      else if (status === 401 || status === 403) throw demoFailed(url, `it answered ${status}`, KEY_ADVICE);
      else throw demoFailed(url, `it answered ${status}`);
    }
  }
  return { created, found: existing };
}

async function post(url: string, body: object, key: string | undefined): Promise<number> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    throw demoFailed(new URL(url).origin, messageOf(error));
  }
}

const PLACE_ADVICE = 'start it with npm start, or set HOST and RECORDS_PORT to where it is';
const KEY_ADVICE = 'name a key with the scope records, npm run demo -- --key KEY';

function demoFailed(url: string, reason: string, advice = PLACE_ADVICE): HoldfastError {
  return new HoldfastError(
    'CONFIGURATION',
    `The records API at ${url} cannot be filled (${reason}): ${advice}`,
  );
}

/** Calls to try once the demo world exists. @param needsKey whether they have to have a key, which they take from `$KEY` */
export function demoCalls(url: string, needsKey: boolean): DemoCall[] {
  const curl = needsKey ? 'curl -s -H "Authorization: Bearer $KEY"' : 'curl -s';
  const get = (about: string, path: string): DemoCall => ({ about, command: `${curl} '${url}${path}'` });
  return [
    get('What may be affected by the Listeria found in Lyon', '/api/contaminants/listeria/trace'),
    get('Where it may have come from', '/api/contaminants/listeria/trace?direction=upstream'),
    get('All that became of the lot, and what it was made of', '/api/lots/ROB-0412/trace?direction=both'),
    get('Shipments of the lot that can still be stopped', '/api/shipments?lot=ROB-0412&status=planned'),
    get('Shipments that got too warm', '/api/shipments?temperatureExcursion=true'),
    get('Inspections with critical findings', '/api/inspections?severity=critical'),
    {
      about: 'Hold the shipment to Geneva: read it, then send it back with another status',
      command: `${curl} '${url}/api/shipments/geneva-0421' | node -pe 'JSON.stringify({...JSON.parse(require("fs").readFileSync(0)).data,status:"held"})' | ${curl} -X PUT '${url}/api/shipments/geneva-0421' -H 'Content-Type: application/json' -d @-`,
    },
    { about: 'All of it, to try in a browser', command: `${url}/api-docs` },
  ];
}
