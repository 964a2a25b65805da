import { memoryRequestSchemas } from '../../../../api/memory/memory-requests';

test.each([
  [3, 3],
  [100, 10],
])('with MEMORY_MAX_RESULTS=%d a search without a limit finds up to %d memories', (max, limit) => {
  const { searchEpisodic, searchSemantic, search } = memoryRequestSchemas({
    MEMORY_MAX_RESULTS: max,
    MEMORY_SIMILARITY_THRESHOLD: 0.7,
    MEMORY_MAX_CONTENT_LENGTH: 1_000,
  });
  expect(searchEpisodic.parse({ userId: 'ada' })).toMatchObject({ limit });
  expect(searchSemantic.parse({ userId: 'ada', query: 'tea' })).toMatchObject({ limit });
  expect(search.parse({ userId: 'ada' })).toMatchObject({ limit });
});
