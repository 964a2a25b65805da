import type { StoreConfiguration } from '../../src/memory/stores/configuration';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';

/**
 * The stores of memories for who may use them only once memory chat was initialized: `use` throws a HoldfastError
 * `MEMORY_CHAT_NOT_INITIALIZED` before.
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
