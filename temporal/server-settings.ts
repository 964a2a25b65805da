/**
 * The settings of Temporal's development server that differ from its defaults; `deploy/temporal` has the same. By
 * default the server reads the queues of a shard 20 times a second, which adds about 50 ms to every step. A task queue has
 * four partitions, which suit several hosts. Each caller that waits for a run is a long request to the server too, of which
 * a frontend refuses more than 1,200.
 */
export const SERVER_SETTINGS: Readonly<Record<string, number | boolean>> = {
  'history.transferProcessorMaxPollRPS': 2_000,
  'history.timerProcessorMaxPollRPS': 2_000,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.enableActivityEagerExecution': true,
  'frontend.namespaceCount': 20_000,
};
