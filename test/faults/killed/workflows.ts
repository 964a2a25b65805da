import {
  customBody,
  fetchStep,
  type RequestedStep,
  resultsOf,
  sumStep,
  toolStep,
} from '../../support/workflow-steps';
import type { Work } from './work';

const EXECUTE = '/api/workflow/execute-custom';

export const besideLightSteps: Work = {
  name: 'steps beside light ones of which one has failed go on as the history says',
  counted: { succeeded: 7, failed: 1 },
  async begin({ stage: { peer }, api }) {
    const read = (id: string, path: string, more: object): RequestedStep =>
      toolStep(id, 'json_reader', { jsonString: '{"a":1}', path }, { dependsOn: [], ...more });
    const paths = ['/held/light/1', '/held/light/2'];
    const answer = api.post(
      EXECUTE,
      customBody([
        read('absent', '$.b', { continueOnError: true }),
        fetchStep('first', `${peer.url}/held/light/1`, {}, { dependsOn: ['absent'] }),
        read('each', '$.a', { forEach: { items: [1, 2, 3, 4, 5], concurrency: 4 } }),
        fetchStep('second', `${peer.url}/held/light/2`, {}, { dependsOn: ['each'] }),
      ]),
    );
    const arrive = (times: number) => Promise.all(paths.map((path) => peer.arrived(path, times)));
    await arrive(1);
    return {
      async resume() {
        await arrive(2);
        for (const path of paths) peer.release(path);
      },
      async holds() {
        expect(resultsOf(await answer)).toMatchObject({
          absent: null,
          first: { status: 200 },
          second: { status: 200 },
        });
      },
    };
  },
};

export const forEachItems: Work = {
  name: 'items of a forEach step that were done are not done again',
  counted: { succeeded: 6 },
  async begin({ stage: { peer }, api }) {
    const items = ['/each/one', '/each/two', '/held/each/three', '/each/four', '/each/five'];
    const answer = api.post(
      EXECUTE,
      customBody([
        fetchStep('each', `${peer.url}{{item}}`, {}, { forEach: { items, concurrency: 1 } }),
        sumStep('last', '{{each.result[4].status}}', 1),
      ]),
    );
    await peer.arrived('/held/each/three');
    return {
      async resume() {
        await peer.arrived('/held/each/three', 2);
        peer.release('/held/each/three');
      },
      async holds() {
        expect(resultsOf(await answer)['last']).toBe(201);
        expect(items.map((path) => peer.count(path))).toEqual([1, 1, 2, 1, 1]);
      },
    };
  },
};
