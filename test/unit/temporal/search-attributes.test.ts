import { LATER_ATTRIBUTES, SEARCH_ATTRIBUTES } from '../../../src/contracts/runs/search-attributes';
import type { Logger } from '../../../src/base/logger';
import {
  type KnownAttributes,
  NO_ATTRIBUTES,
  registerSearchAttributes,
  toSearchAttributes,
} from '../../../temporal/search-attributes';

const NAMES = Object.keys(SEARCH_ATTRIBUTES);
const ALREADY_EXISTS = 6;
const UNAVAILABLE = 14;

const grpcError = (code: number): Error =>
  Object.assign(new Error(`status ${code}`), { code, details: '', metadata: {} });

interface Script {
  /** The attributes that each look finds, in order; the last answer repeats. */
  readonly known: readonly (readonly string[] | Error)[];
  readonly add?: Error;
}

async function register({
  known,
  add,
}: Script): Promise<{ used: string[]; asked: string[]; lines: string[] }> {
  const asked: string[] = [];
  const lines: string[] = [];
  let looks = 0;
  const operatorService = {
    listSearchAttributes: () => {
      const found = known[Math.min(looks, known.length - 1)] ?? [];
      looks += 1;
      return found instanceof Error
        ? Promise.reject(found)
        : Promise.resolve({ customAttributes: Object.fromEntries(found.map((name) => [name, 1])) });
    },
    addSearchAttributes: ({ searchAttributes }: { searchAttributes: object }) => {
      asked.push(...Object.keys(searchAttributes));
      return add === undefined ? Promise.resolve({}) : Promise.reject(add);
    },
  };
  const connection = { withDeadline: (_: number, call: () => unknown) => call(), operatorService };
  const logger = {
    info: (_: object, message: string) => lines.push(message),
    warn: (_: object, message: string) => lines.push(message),
  };
  const used = await registerSearchAttributes(connection as never, 'default', logger as unknown as Logger);
  return { used: [...used], asked, lines };
}

test('registers what is missing', async () => {
  const { used, asked, lines } = await register({ known: [NAMES.slice(1)] });
  expect([used, asked, lines]).toEqual([NAMES, [NAMES[0]], ['registered search attributes']]);
});

test('registers nothing where all are there', async () => {
  expect(await register({ known: [NAMES] })).toEqual({ used: NAMES, asked: [], lines: [] });
});

test.each([ALREADY_EXISTS, UNAVAILABLE])(
  'looks again after a failure (%i): another process may have been first',
  async (code) => {
    const { used, lines } = await register({ known: [[], NAMES], add: grpcError(code) });
    expect([used, lines]).toEqual([NAMES, []]);
  },
);

test.each([
  ['INVALID_ARGUMENT', 3],
  ['PERMISSION_DENIED', 7],
  ['UNIMPLEMENTED', 12],
])('goes without where the server refuses: %s', async (_, code) => {
  const refused = await register({ known: [[]], add: grpcError(code) });
  expect(refused.used).toEqual([]);
  expect(refused.lines).toEqual([expect.stringContaining(NAMES.join(', '))]);
  expect((await register({ known: [grpcError(code)] })).used).toEqual([]);
});

test('an attribute that came later is used without where the server refuses it, and the first ones are not', async () => {
  const later = [...LATER_ATTRIBUTES];
  const first = NAMES.filter((name) => !later.includes(name as never));
  const refused = await register({ known: [first], add: grpcError(7) });
  expect([refused.used, refused.asked]).toEqual([first, later]);
  expect(refused.lines).toEqual([expect.stringContaining(`can add ${later.join(', ')}`)]);
  expect((await register({ known: [[...first.slice(1), ...later]], add: grpcError(7) })).used).toEqual([]);
});

test('a run has those of its attributes that the server has', () => {
  const subject = { area: 'memory', user: 'u', waitingFor: 'earlier-turn' } as const;
  const names = (known: KnownAttributes) =>
    toSearchAttributes(subject, known)
      .getAll()
      .map(({ key }) => key.name);
  expect(names(new Set(['HoldfastArea', 'HoldfastWaiting']))).toEqual(['HoldfastArea', 'HoldfastWaiting']);
  expect(names(NO_ATTRIBUTES)).toEqual([]);
});

test('a failure that may pass is for another try, and decides nothing', async () => {
  await expect(register({ known: [grpcError(UNAVAILABLE)] })).rejects.toThrow('status 14');
  await expect(register({ known: [[]], add: grpcError(4) })).rejects.toThrow('status 4');
});
