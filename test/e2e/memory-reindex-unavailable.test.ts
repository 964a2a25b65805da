import { basename } from 'node:path';
import { type Service, startService } from '../support/service';
import { makeTempDir } from '../support/temp-dir';

const MODELS = makeTempDir();

let service: Service;

beforeAll(async () => {
  service = await startService({
    MEMORY_EMBEDDING_PROVIDER: 'transformers',
    // This folder contains no model.
    MEMORY_EMBEDDING_MODEL: MODELS.path,
  });
});
afterAll(async () => {
  await service.stop();
  MODELS.remove();
});

test('moving to a model that cannot be loaded ends with the reason', async () => {
  const { status, body } = await service.post('/api/memory/reindex', {});
  expect([status, body.error]).toEqual([503, 'Service unavailable']);
  expect(body.details).toMatchObject({
    service: 'embedder',
    reason: expect.stringContaining(basename(MODELS.path)),
  });
});
