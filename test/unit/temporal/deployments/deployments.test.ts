import { createDeployments } from '../../../../temporal/deployments/deployments';
import { NOT_FOUND } from '../../../../temporal/grpc-status';

const notFound = Object.assign(new Error('Worker Deployment not found'), {
  code: NOT_FOUND,
  details: '',
  metadata: {},
});

/** Deployments of an engine that answers NOT_FOUND to the first `times` questions. */
function deploymentsMissing(times: number) {
  let asked = 0;
  const describeWorkerDeployment = jest.fn(() => {
    asked += 1;
    return asked <= times ? Promise.reject(notFound) : Promise.resolve({ workerDeploymentInfo: {} });
  });
  const native = {
    withDeadline: (_: number, calls: () => unknown) => calls(),
    workflowService: {
      describeWorkerDeployment,
      setWorkerDeploymentCurrentVersion: describeWorkerDeployment,
    },
  };
  const connection = { native, namespace: 'default' } as unknown as Parameters<typeof createDeployments>[0];
  return { deployments: createDeployments(connection, 'test'), describeWorkerDeployment };
}

test('a deployment that the engine misses for a moment is found', async () => {
  const { deployments } = deploymentsMissing(2);
  expect(await deployments.describe('shop')).toMatchObject({ name: 'shop' });
});

test('a deployment that the engine misses every time does not exist', async () => {
  const { deployments, describeWorkerDeployment } = deploymentsMissing(Infinity);
  expect(await deployments.describe('shop')).toBeUndefined();
  expect(describeWorkerDeployment).toHaveBeenCalledTimes(3);
});

test('a change is asked for again too, and its problem says what to do', async () => {
  const routing = { buildId: 'b', deployment: { name: 'shop' }, ignoreMissingQueues: false } as never;
  const found = deploymentsMissing(2);
  await found.deployments.setCurrent(routing);
  expect(found.describeWorkerDeployment).toHaveBeenCalledTimes(3);
  const { deployments } = deploymentsMissing(Infinity);
  await expect(deployments.setCurrent(routing)).rejects.toThrow('Temporal refuses the change');
});
