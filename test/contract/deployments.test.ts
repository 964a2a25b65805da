import { randomUUID } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import type { EngineConnection } from '../../temporal/engine';
import { createDeployments } from '../../temporal/deployments/deployments';
import { buildOf, deployed } from '../support/deployments';
import { sharedTemporal } from '../support/service';
import { openStage } from '../support/stage';

test('a change to a state that somebody changed meanwhile is refused', async () => {
  const stage = await openStage();
  const native = await NativeConnection.connect({ address: sharedTemporal() });
  const connection: Pick<EngineConnection, 'native' | 'namespace'> = { native, namespace: 'default' };
  const deployments = createDeployments(connection, 'test');
  const name = `test-${randomUUID()}`;
  try {
    await stage.worker(buildOf(name, '1'));
    await stage.worker(buildOf(name, '2'));
    await deployed(stage, name, 'promote', '1');
    const deployment = (await deployments.describe(name))!;
    expect(deployment).toMatchObject({ name, current: '1', ramp: undefined });
    const change = { deployment, ignoreMissingQueues: false };

    await deployments.setCurrent({ ...change, buildId: '2' });
    await expect(deployments.setCurrent({ ...change, buildId: undefined })).rejects.toThrow(
      /^Temporal refuses the change: .*conflict.*; check the status, then try again$/i,
    );
    expect((await deployments.describe(name))?.current).toBe('2');
    expect(await deployments.describe(`${name}-unknown`)).toBeUndefined();
    expect(await deployments.listQueues(name, 'unknown')).toEqual([]);
  } finally {
    await native.close();
    await stage.close();
  }
});
