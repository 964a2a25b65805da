import type { StoreConfiguration } from '../../src/memory/stores/configuration';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';

/**
 * Wraps the stores of memories for routes that require an initialization of memory chat. Before it, `use` throws a
 * HoldfastError `MEMORY_CHAT_NOT_INITIALIZED`.
 */
export function onceInitialized(
  stores: MemoryStores,
  configuration: Pick<StoreConfiguration, 'requireInitialized'>,
): MemoryStores {
  return {
    async use(work) {
      await configuration.requireInitialized('memory-chat');
      return stores.use(work);
    },
  };
}
