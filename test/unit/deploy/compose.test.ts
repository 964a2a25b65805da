import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../../../src/settings/config';
import { settingsSchema } from '../../../src/settings/schema';
import {
  composeFile,
  type ComposeService,
  fillVariables,
  PROJECT_ROOT,
  readProjectFile,
} from '../../support/deployment';

const { services, volumes, networks } = composeFile();
const all = Object.entries(services);
const isOurs = ({ image }: ComposeService): boolean => image?.startsWith('holdfast:') === true;
const ours = all.filter(([, service]) => isOurs(service));
/** The settings on which health checks, the proxy and the volume rely. */
const WRITTEN_INTO_THE_IMAGE = {
  HOST: '0.0.0.0',
  PORT: 3000,
  RECORDS_PORT: 3001,
  WORKER_PROBE_PORT: 3002,
  DATA_DIR: '/data',
};
/** Services that end when their work is done. */
const isJob = ({ restart }: ComposeService): boolean => restart?.startsWith('on-failure') === true;
describe.each(all)('the service %s', (name, service) => {
  test('has an image of one version', () => {
    const image = service.image ?? '';
    if (!isOurs(service)) expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+[\w.-]*$/);
    else expect(image).toMatch(/^holdfast:\$\{HOLDFAST_VERSION:-\d+\.\d+\.\d+\}$/);
  });

  test('can be scaled: it has no name of its own, and only what is one has a port of this machine', () => {
    expect(service.container_name).toBeUndefined();
    if (isOurs(service)) expect(service.ports).toBeUndefined();
    for (const port of service.ports ?? []) expect(fillVariables(port)).toMatch(/^127\.0\.0\.1:/);
  });

  test('is bounded, and starts again or is done', () => {
    // A container engine refuses a container that may use more cores than its machine has.
    expect(service.deploy?.resources?.limits).toEqual({ memory: expect.stringMatching(/^\d+[mg]$/) });
    expect(service.restart).toMatch(/^(unless-stopped|on-failure:\d)$/);
  });

  test('tells whether it is well', () => {
    if (isJob(service)) return;
    const { healthcheck } = service;
    if (name === 'otel-collector') expect(healthcheck).toEqual({ disable: true });
    else expect(healthcheck?.test?.[0]).toMatch(/^CMD/);
  });

  test('waits for others by their state', () => {
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      const other = services[needed];
      if (other === undefined) throw new Error(`${name} waits for ${needed}, which is none`);
      expect(condition).toBe(isJob(other) ? 'service_completed_successfully' : 'service_healthy');
      if (!isJob(other)) expect(other.healthcheck?.test).toBeDefined();
    }
  });

  test('mounts what is there', () => {
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) {
        expect({ source, exists: existsSync(resolve(PROJECT_ROOT, source)) }).toEqual({
          source,
          exists: true,
        });
        expect(volume).toMatch(/:ro$/);
      } else {
        expect(Object.keys(volumes)).toContain(source);
      }
    }
  });

  test('has no secret written into it', () => {
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      if (!/PASSWORD|PWD|KEY|SECRET|TOKEN|_AUTH$/.test(variable)) continue;
      expect(`${variable}=${value}`).toMatch(/=(neo4j\/)?\$\{\w+:\?[^}]+\}$/);
    }
  });

  test('is on networks that are there', () => {
    for (const network of service.networks ?? []) expect(Object.keys(networks)).toContain(network);
    expect(service.networks).toContain('inside');
  });
});

test('the image is built once, and asked of no registry', () => {
  const built = ours.map(([name, { build, pull_policy: policy }]) => [name, build, policy]);
  expect(built).toEqual([
    ['api', '.', undefined],
    ['records', undefined, 'never'],
    ['worker', undefined, 'never'],
  ]);
  expect(new Set(ours.map(([, { image }]) => image)).size).toBe(1);
});

test('what a process of the service is told are settings that it knows and takes', () => {
  expect(ours.map(([name]) => name).sort()).toEqual(['api', 'records', 'worker']);
  for (const [, { environment = {} }] of ours) {
    for (const variable of Object.keys(environment))
      expect(Object.keys(settingsSchema.shape)).toContain(variable);
    const filled = Object.entries(environment).map(
      ([key, value]) => [key, fillVariables(value ?? '')] as const,
    );
    const config = loadConfig(Object.fromEntries(filled));
    expect(config).toMatchObject({
      externalTemporal: true,
      TEMPORAL_ADDRESS: 'temporal:7233',
      METRICS_ADDRESS: '0.0.0.0:9464',
      TEMPORAL_UI_URL: 'http://localhost:8233',
      ...WRITTEN_INTO_THE_IMAGE,
      ALLOWED_HOSTS: ['localhost', '127.0.0.1'],
      neo4j: { uri: 'bolt://neo4j:7687' },
    });
  }
});

test('a process of the service can change nothing but its data', () => {
  for (const [, { read_only: readOnly, cap_drop: dropped, volumes: mounted }] of ours) {
    expect([readOnly, dropped, mounted]).toEqual([true, ['ALL'], ['data:/data']]);
  }
});

test('the stores are reached from inside alone', () => {
  expect(networks['inside']).toMatchObject({ internal: true });
  for (const name of ['postgres', 'neo4j', 'temporal']) expect(services[name]?.networks).toEqual(['inside']);
});

test('.env.example names every variable that has to be set, and gives none a value', () => {
  const required = [...readProjectFile('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(
    ([, name]) => name,
  );
  const lines = readProjectFile('.env.example')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.sort()).toEqual([...new Set(required)].map((name) => `${name}=`).sort());
});

test.each(['.env', 'holdfast.env'])('git leaves %s alone, which has secrets', (file) => {
  expect(readProjectFile('.gitignore').split('\n')).toContain(file);
  const ofCompose = new Set(ours.flatMap(([, { env_file: files = [] }]) => files.map(({ path }) => path)));
  expect(['.env', ...ofCompose]).toContain(file);
});

const docker = spawnSync('docker', ['compose', 'version'], { timeout: 10_000 });
(docker.status === 0 ? describe : describe.skip)('by docker compose config', () => {
  const config = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    spawnSync('docker', ['compose', '--env-file', '/dev/null', ...args, 'config', '-q'], {
      cwd: PROJECT_ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      encoding: 'utf8',
      timeout: 30_000,
    });
  const secrets = { POSTGRES_PASSWORD: 'a', NEO4J_PASSWORD: 'b', SECRETS_KEY: 'c' };

  test.each([[[]], [['--profile', 'observability']]])('the file is valid: %j', (args) => {
    const { status, stderr } = config(args, secrets);
    expect([status, stderr]).toEqual([0, '']);
  });

  test.each(Object.keys(secrets))('without %s it says what to do', (missing) => {
    const { status, stderr } = config([], { ...secrets, [missing]: '' });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`set ${missing} in .env`);
  });
});
