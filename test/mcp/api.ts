import { openAuthentication } from '../../bin/authentication';
import { openFoundation } from '../../bin/foundation';
import { addApi } from '../../bin/add-api';
import { runProcess } from '../../bin/process';
import { createFixtures, REGISTERED_TOOLS } from './fixtures';
import { startSlowPeer } from './slow-peer';

/** Runs the API alone, as `npm run api` does, with the fixtures that the conformance suite calls. */
runProcess('api', async (part) => {
  const foundation = await openFoundation(part);
  const authentication = await openAuthentication(part, foundation.documents);
  const peer = await startSlowPeer();
  part.release(() => peer.close());
  let url = '';
  const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}: ${await answer.text()}`);
    return ((await answer.json()) as { readonly data: unknown }).data;
  };
  const mcpAdditions = createFixtures({ peer: peer.url, post });
  const api = await addApi(part, { ...foundation, ...authentication }, { uiUrl: undefined, mcpAdditions });
  url = api.url;
  await foundation.engine.ready();
  for (const tool of REGISTERED_TOOLS) await post('/api/tools/register', tool);
  part.logger.info({ url }, 'the API with fixtures is up');
});
