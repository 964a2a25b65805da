import { join } from 'node:path';
import { createDocumentStore } from '../../src/factories/create-stores';
import type { DocumentStore } from '../../src/stores/documents';
import type { Neo4jSettings } from '../../src/stores/neo4j/settings';
import { Neo4jConnection } from '../../src/stores/neo4j/connection';
import { Neo4jDatabase } from '../../src/stores/neo4j/database';
import { migrate } from '../../src/stores/neo4j/migrate';
import { MIGRATIONS } from '../../src/stores/neo4j/migrations';
import { createToolRegistry } from '../../src/tools/registry';
import { builtin } from '../unit/tools/registry-fixtures';
import { describeWithNeo4j, emptyNeo4j, queryNeo4j, useNeo4j } from '../support/neo4j';
import { runTogether } from './support/child-process';
import { put } from './support/writes';
import { storeUnavailable } from '../../src/stores/until-available';

const MIGRATE = join(__dirname, 'children', 'migrate-neo4j.ts');

describeWithNeo4j('a Neo4j database', () => {
  const address = useNeo4j();
  const stores: DocumentStore[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await emptyNeo4j(address());
  });

  function open(settings: Partial<Neo4jSettings> = {}): DocumentStore {
    const store = createDocumentStore({ neo4j: { ...address(), ...settings } });
    stores.push(store);
    return store;
  }

  const schema = async (): Promise<unknown> =>
    (await queryNeo4j(address(), 'MATCH (schema:HoldfastSchema) RETURN schema.version AS version')).map(
      ({ version }) => version,
    );

  const log = async (): Promise<unknown> =>
    (await queryNeo4j(address(), 'MATCH (log:Log) RETURN log.migration AS migration ORDER BY migration')).map(
      ({ migration }) => migration,
    );

  describe('its schema', () => {
    it('is there after the first use, by name', async () => {
      await open().ping();
      const constraints = await queryNeo4j(address(), 'SHOW CONSTRAINTS YIELD name, type, labelsOrTypes');
      expect(constraints).toContainEqual({
        name: 'holdfast_documents_by_key',
        type: 'UNIQUENESS',
        labelsOrTypes: ['HoldfastDocument'],
      });
      const indexes = await queryNeo4j(address(), 'SHOW INDEXES YIELD name, state');
      expect(indexes).toContainEqual({ name: 'holdfast_documents_by_expiry', state: 'ONLINE' });
      expect(await schema()).toEqual([MIGRATIONS.length]);
    });

    it('is made once in all when several processes start on an empty database together', async () => {
      const migrations = 3;
      const versions = await runTogether(
        MIGRATE,
        Array.from({ length: 4 }, () => ({ settings: address(), migrations })),
      );
      expect(versions).toEqual([migrations, migrations, migrations, migrations]);
      expect(await log()).toEqual([0, 1, 2]);
    });

    it('goes on after the last migration that was done whole', async () => {
      const connection = new Neo4jConnection(address());
      const step = (migration: number) => ({
        name: `migration ${migration}`,
        statements: [`MERGE (:Log {migration: ${migration}})`],
      });
      const failing = { name: 'failing', statements: ['MERGE (:Log {migration: 1})', 'NO CYPHER'] };
      await migrate(connection, [step(0)]);
      await expect(migrate(connection, [step(0), failing])).rejects.toThrow("Invalid input 'NO'");
      expect(await schema()).toEqual([1]);
      await migrate(connection, [step(0), step(1)]);
      await connection.close();
      expect(await schema()).toEqual([2]);
      expect(await log()).toEqual([0, 1]);
    });

    it('of newer code is refused, and the error says what to do', async () => {
      await queryNeo4j(address(), "CREATE (:HoldfastSchema {name: 'holdfast', version: 1000})");
      const refusal = {
        code: 'CONFIGURATION',
        message: expect.stringContaining('written by a newer holdfast'),
      };
      const store = open();
      await expect(store.ping()).rejects.toMatchObject(refusal);
      await expect(store.get('c', 'k')).rejects.toMatchObject(refusal);
    });

    it('of newer code is accepted by a process that used the database before, also after a failure', async () => {
      const database = new Neo4jDatabase(address());
      await database.read('RETURN 1');
      await queryNeo4j(address(), 'MATCH (schema:HoldfastSchema) SET schema.version = 1000');
      const failure = storeUnavailable('The data store is busy', address().uri, new Error('a test'));
      await expect(database.transact(() => Promise.reject(failure))).rejects.toBe(failure);
      expect(await database.read('RETURN 1 AS one')).toEqual([{ one: 1 }]);
      await database.close();
    });
  });

  describe('refuses', () => {
    it('a wrong password, and the error names the settings and not the password', async () => {
      const error: unknown = await open({ password: 'not the right one' })
        .ping()
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'CONFIGURATION',
        retryable: false,
        message: expect.stringMatching(/NEO4J_USERNAME.*NEO4J_PASSWORD/),
      });
      expect((error as Error).cause).toMatchObject({ message: expect.stringContaining(address().uri) });
      expect(`${String(error)} ${String((error as Error).cause)}`).not.toContain('not the right one');
    });

    it('a database that is not there, and the error names the setting', async () => {
      await expect(open({ database: 'elsewhere' }).ping()).rejects.toMatchObject({
        code: 'CONFIGURATION',
        message: expect.stringContaining('NEO4J_DATABASE'),
      });
    });
  });

  it('gives up on a document that another transaction keeps locked, and works once it is free', async () => {
    const store = open();
    const impatient = open({ operationLimitMs: 400 });
    const patient = open({ operationLimitMs: 60_000 });
    await store.write([put('k', 1), put('other', 1)]);
    const holder = new Neo4jConnection({ ...address(), operationLimitMs: 60_000 });
    let late: Promise<boolean> | undefined;
    await holder.transact(async (statements) => {
      await statements.run("MATCH (document:HoldfastDocument {key: 'k'}) SET document.held = true");
      let isPatientWaiting = true;
      late = patient.write([put('k', 'late')]).finally(() => (isPatientWaiting = false));
      await expect(impatient.write([put('k', 2)])).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        retryable: true,
      });
      expect(isPatientWaiting).toBe(true);
      expect(await store.get('c', 'k')).toMatchObject({ value: 1, version: 1 });
      expect(await store.write([put('other', 2)])).toBe(true);
      return { commit: false, value: undefined };
    });
    await holder.close();
    expect(await late).toBe(true);
    expect(await store.get('c', 'k')).toMatchObject({ value: 'late', version: 2 });
    expect(await store.write([put('k', 3)])).toBe(true);
  });

  it('reads documents by themselves while they are locked, and several together once they are free', async () => {
    const store = open();
    const holder = new Neo4jConnection(address());
    await store.write([put('k', 1), put('other', 1)]);
    let together: Promise<unknown> | undefined;
    await holder.transact(async (statements) => {
      await statements.run("MATCH (document:HoldfastDocument {key: 'k'}) SET document.held = true");
      expect(await store.get('c', 'k')).toMatchObject({ value: 1, version: 1 });
      expect(await store.getEach('c', ['k', 'other', 'none'])).toMatchObject({ size: 2 });
      expect(await store.list('c')).toHaveLength(2);
      let isRead = false;
      together = store.getMany('c', ['k']).finally(() => (isRead = true));
      // A second one of its own, after which the first would have been read if it did not wait.
      await store.getMany('c', ['other']);
      expect(isRead).toBe(false);
      return { commit: false, value: undefined };
    });
    await holder.close();
    expect(await together).toMatchObject({ size: 1 });
  });

  it('answers with the registered tools while an execution of one of them is held up', async () => {
    const documents = open();
    const registry = createToolRegistry({ documents, builtins: [builtin('calculator')], maxTools: 10 });
    await registry.seed();
    await registry.list();
    const holder = new Neo4jConnection(address());
    await holder.transact(async (statements) => {
      await statements.run('MATCH (document:HoldfastDocument) SET document.held = true');
      expect((await registry.getMany(['calculator'])).size).toBe(1);
      expect(await registry.get('calculator')).toBeDefined();
      expect(await registry.list()).toHaveLength(1);
      expect(await registry.count()).toBe(1);
      return { commit: false, value: undefined };
    });
    await holder.close();
  });

  it('never acknowledges a write that its process came too late to commit', async () => {
    const connection = new Neo4jConnection(address());
    const limitMs = 500;
    const written = connection.transact(async (statements) => {
      await statements.run('CREATE (:Late)');
      // The process is held up here, so the limit passes before any other code can run.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limitMs);
      return { commit: true, value: true };
    }, limitMs);
    await expect(written).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
    await connection.close();
    expect(await queryNeo4j(address(), 'MATCH (late:Late) RETURN late')).toEqual([]);
  });

  it('is left as it was by what reads or does not write', async () => {
    const store = open();
    await store.getMany('c', ['a', 'b']);
    await store.getEach('c', ['a', 'b']);
    await store.write([put('a', 1), put('b', 1, { ifVersion: 3 })]);
    await store.write([{ type: 'delete', collection: 'c', key: 'a' }]);
    expect(await queryNeo4j(address(), 'MATCH (document:HoldfastDocument) RETURN document')).toEqual([]);
  });
});
