import { randomUUID } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import type { EngineConnection } from '../../temporal/engine';
import { createDeployments } from '../../temporal/deployments/deployments';
import { buildOf, deployed } from '../support/deployments';
import { sharedTemporal } from '../support/service';
import { openStage } from '../support/stage';

test('a build that is promoted takes all new runs, also from a third one that took a share of them', async () => {
  const stage = await openStage();
  const native = await NativeConnection.connect({ address: sharedTemporal() });
  const connection: Pick<EngineConnection, 'native' | 'namespace'> = { native, namespace: 'default' };
  const deployments = createDeployments(connection, 'test');
  const name = `test-${randomUUID()}`;
  try {
    await Promise.all(['1', '2', '3'].map((build) => stage.worker(buildOf(name, build))));
    await deployed(stage, name, 'promote', '1');
    await deployed(stage, name, 'promote', '2', '--ramp', '20');
    expect(await deployments.describe(name)).toMatchObject({
      current: '1',
      ramp: { buildId: '2', percent: 20 },
    });
    await deployed(stage, name, 'promote', '3');
    expect(await deployments.describe(name)).toMatchObject({ current: '3', ramp: undefined });
  } finally {
    await native.close();
    await stage.close();
  }
});

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
