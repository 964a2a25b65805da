import { loadConfig } from '../../../src/settings/config';
import { deploymentOptions, toDeploymentVersion } from '../../../worker/deployment';

const of = (settings: Record<string, string>) => deploymentOptions(loadConfig(settings));

test('without builds a worker takes every task of its queue', () => {
  expect(of({})).toEqual({});
});

test('a worker of a build pins the runs that begin on it', () => {
  expect(of({ WORKER_DEPLOYMENT_NAME: 'holdfast', WORKER_BUILD_ID: '1.2.0+4f1c' })).toEqual({
    workerDeploymentOptions: {
      version: { deploymentName: 'holdfast', buildId: '1.2.0+4f1c' },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  });
});

test.each([
  [{ WORKER_DEPLOYMENT_NAME: 'holdfast' }, /WORKER_BUILD_ID has to say/],
  [{ WORKER_BUILD_ID: '1' }, /WORKER_DEPLOYMENT_NAME has to say/],
])('half of it is refused: %j', (settings, message) => {
  expect(() => toDeploymentVersion(loadConfig(settings))).toThrow(
    expect.objectContaining({ code: 'CONFIGURATION', message: expect.stringMatching(message) }),
  );
});

test.each([
  ['WORKER_DEPLOYMENT_NAME', 'a.b'],
  ['WORKER_DEPLOYMENT_NAME', '-a'],
  ['WORKER_BUILD_ID', 'a:b'],
  ['WORKER_BUILD_ID', 'unversioned'],
  ['WORKER_BUILD_ID', 'x'.repeat(101)],
])('%s=%s is refused in one line that names it', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(
    expect.objectContaining({ code: 'CONFIGURATION', message: expect.stringContaining(name) }),
  );
});
