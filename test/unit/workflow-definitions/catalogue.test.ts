import { MAX_LIST_LIMIT, type TenantDocuments } from '../../../src/stores/documents';
import { tenantDocuments } from '../../../src/stores/tenants/tenant-documents';
import { createWorkflowCatalogue, type WorkflowCatalogue } from '../../../src/workflow-definitions/catalogue';
import type { PredefinedWorkflow } from '../../../src/contracts/http/workflows';
import { callChecks } from '../../support/argument-checks';
import { type TestStores, testStores } from '../tools/registry-fixtures';
import { headOf, type WorkflowHead } from '../../../src/workflow-definitions/workflow-head';
import { builtinRegistry as registry, errorOf, fetchStep, schemas, workflow } from './fixtures';

let stores: TestStores;

beforeEach(() => {
  stores = testStores();
});
afterEach(() => stores.dispose());

const builtins = [workflow('built-in'), workflow('middle')];
const open = (maxWorkflows = 10) =>
  withChecks(
    createWorkflowCatalogue({ registry, schemas, documents: stores.connect(), builtins, maxWorkflows }),
  );
const withChecks = (catalogue: WorkflowCatalogue) => ({
  ...catalogue,
  put: (stored: PredefinedWorkflow) => catalogue.put(stored, callChecks),
});
const idsOf = (workflows: readonly WorkflowHead[]): string[] => workflows.map(({ id }) => id);

test('at first there is what comes with the service, by id', async () => {
  const catalogue = open();
  expect(await catalogue.list()).toEqual(builtins.map(headOf));
  expect(await catalogue.get('middle')).toEqual(builtins[1]);
});

test('what is stored is found by every process, among the rest by id', async () => {
  const [one, other] = [open(), open()];
  await one.put(workflow('zebra'));
  await one.put(workflow('centre', { inputs: { a: { default: { deep: [1] } } } }));
  expect(idsOf(await other.list())).toEqual(['built-in', 'centre', 'middle', 'zebra']);
  expect(await other.get('centre')).toEqual(
    workflow('centre', { inputs: { a: { default: { deep: [1] } } } }),
  );
});

test('storing again replaces, also if there is no room for another', async () => {
  const catalogue = open(1);
  await catalogue.put(workflow('own'));
  await catalogue.put(workflow('own', { name: 'Newer' }));
  expect((await catalogue.get('own')).name).toBe('Newer');
  const error = await errorOf(() => catalogue.put(workflow('second')));
  expect(error.code).toBe('VALIDATION');
  expect(error.message).toMatch(/There are 1 workflows already.*MAX_WORKFLOWS/);
  expect(await errorOf(() => catalogue.get('second'))).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
});

test('removing makes room, and what is gone is not found', async () => {
  const catalogue = open(1);
  await catalogue.put(workflow('own'));
  await catalogue.remove('own');
  expect(idsOf(await catalogue.list())).toEqual(['built-in', 'middle']);
  expect(await errorOf(() => catalogue.remove('own'))).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  await catalogue.put(workflow('another'));
  await catalogue.put(workflow('another', { name: 'Newer' }));
  await catalogue.remove('another');
  await catalogue.put(workflow('own'));
  expect((await catalogue.get('own')).id).toBe('own');
});

test('what comes with the service is neither replaced nor removed', async () => {
  const catalogue = open();
  for (const change of [() => catalogue.put(workflow('middle')), () => catalogue.remove('middle')]) {
    const error = await errorOf(change);
    expect(error.code).toBe('VALIDATION');
    expect(error.details).toMatchObject({
      field: 'id',
      message: expect.stringContaining('comes with the service'),
    });
  }
  expect(await catalogue.get('middle')).toEqual(builtins[1]);
});

test('a definition that contradicts itself is not stored', async () => {
  const catalogue = open();
  const broken = workflow('broken', { steps: [fetchStep('a', { body: '{{input.nobody}}' })] });
  const error = await errorOf(() => catalogue.put(broken));
  expect(error.code).toBe('WORKFLOW_INVALID');
  expect(error.details).toMatchObject({ step: 'a', field: 'config.body' });
  expect(await errorOf(() => catalogue.get('broken'))).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
});

test.each(['', 'NoSuchCase', 'a/b', '../x', '\u0000', 'x'.repeat(600), '__proto__', 'constructor'])(
  'an id that none can have, as %j, is not found',
  async (id) => {
    const catalogue = open();
    expect(await errorOf(() => catalogue.get(id))).toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
    const removed = await errorOf(() => catalogue.remove(id));
    expect(removed.code).toBe('WORKFLOW_NOT_FOUND');
    expect(removed.message.length).toBeLessThan(120);
  },
);

test('puts and removals at the same time leave no more than the limit, and a count that is right', async () => {
  const catalogues = [open(5), open(5)];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => catalogues[n % 2]!.put(workflow(`w${n}`))),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const stored = idsOf(await catalogues[0]!.list()).filter((id) => id.startsWith('w'));
  expect(stored).toHaveLength(5);
  await Promise.all(stored.map((id, n) => catalogues[n % 2]!.remove(id)));
  // If a place were lost on the way, the fifth would not fit; if one were gained, the sixth would.
  for (let n = 0; n < 5; n += 1) await catalogues[0]!.put(workflow(`again${n}`));
  expect(await errorOf(() => catalogues[1]!.put(workflow('again5')))).toMatchObject({ code: 'VALIDATION' });
});

test('of two who store the same new id at once, both succeed, and it counts once', async () => {
  const catalogues = [open(2), open(2)];
  await Promise.all(catalogues.map((catalogue, n) => catalogue.put(workflow('same', { name: `By ${n}` }))));
  await catalogues[0]!.put(workflow('other'));
  expect(idsOf(await catalogues[1]!.list())).toEqual(['built-in', 'middle', 'other', 'same']);
});

test('more than one page is listed whole', async () => {
  const documents = stores.connect();
  const catalogue = createWorkflowCatalogue({ registry, schemas, documents, builtins, maxWorkflows: 10_000 });
  const ids = Array.from({ length: MAX_LIST_LIMIT + 1 }, (_, n) => `w${String(n).padStart(5, '0')}`);
  await documents.write(
    ids.map((id) => ({ type: 'put', collection: 'workflows', key: id, value: workflow(id) })),
  );
  expect(idsOf(await catalogue.list())).toEqual(['built-in', 'middle', ...ids]);
});

describe('a list of large definitions', () => {
  /** The documents of a tenant, and the limits of the pages that are read of them. */
  function noting(): { documents: TenantDocuments; limits: (number | undefined)[] } {
    const own = tenantDocuments(stores.connect(), 'acme');
    const limits: (number | undefined)[] = [];
    const list: TenantDocuments['list'] = (collection, options = {}) => {
      limits.push(options.limit);
      return own.list(collection, options);
    };
    return { documents: { ...own, list }, limits };
  }

  test('reads a few of them at a time, and serves others in between', async () => {
    const { documents, limits } = noting();
    const catalogue = withChecks(
      createWorkflowCatalogue({ registry, schemas, documents, builtins, maxWorkflows: 100 }),
    );
    for (let n = 0; n < 25; n += 1) await catalogue.put(workflow(`w${n}`));
    let others = 0;
    const count = (): void => {
      others += 1;
      if (limits.length < 3) setImmediate(count);
    };
    setImmediate(count);
    expect(await catalogue.list()).toHaveLength(27);
    expect(limits).toEqual([10, 10, 10]);
    expect(others).toBeGreaterThanOrEqual(2);
  });

  test('is kept until a process stores, replaces or removes a workflow', async () => {
    const { documents, limits } = noting();
    const catalogue = withChecks(
      createWorkflowCatalogue({ registry, schemas, documents, builtins, maxWorkflows: 100 }),
    );
    const other = withChecks(
      createWorkflowCatalogue({
        registry,
        schemas,
        documents: noting().documents,
        builtins,
        maxWorkflows: 100,
      }),
    );
    const readings = async (): Promise<number> => {
      const before = limits.length;
      await catalogue.list();
      return limits.length - before;
    };
    expect([await readings(), await readings()]).toEqual([1, 0]);
    await other.put(workflow('own'));
    expect([await readings(), await readings()]).toEqual([1, 0]);
    await other.put(workflow('own', { name: 'Newer' }));
    expect(await catalogue.list()).toContainEqual(headOf(workflow('own', { name: 'Newer' })));
    await other.remove('own');
    expect(idsOf(await catalogue.list())).toEqual(['built-in', 'middle']);
    expect(await readings()).toBe(0);
  });
});
