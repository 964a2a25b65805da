import type { z } from 'zod';
import { AGENT_CAPABILITIES, type agentStatusSchema } from '../../src/contracts/http/agent';
import { currentModel, type ModelProviders } from '../../src/llm/model-providers';
import type { StoreConfiguration } from '../../src/memory/stores/configuration';
import type { ToolRegistry } from '../../src/tools/registry';

export interface AgentStatusPorts {
  readonly configuration: Pick<StoreConfiguration, 'isInitialized' | 'connectivity'>;
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly models: Pick<ModelProviders, 'default' | 'list' | 'resolve'>;
}

export type AgentStatus = z.input<typeof agentStatusSchema>;

/** Reads the state of the agent, and checks its stores. @throws HoldfastError `STORE_UNAVAILABLE` */
export async function readAgentStatus(ports: AgentStatusPorts): Promise<AgentStatus> {
  const { configuration, registry, models } = ports;
  const [initialized, { graphdb, vectordb }, tools] = await Promise.all([
    configuration.isInitialized('agent'),
    configuration.connectivity(),
    registry.list(),
  ]);
  const isAllReached = graphdb.reason === undefined && vectordb.reason === undefined;
  const reasons = { graphdb: graphdb.reason, vectordb: vectordb.reason };
  return {
    initialized,
    capabilities: initialized ? [...AGENT_CAPABILITIES] : [],
    memoryService: {
      graphdb: graphdb.state,
      vectordb: vectordb.state,
      reasons: isAllReached ? undefined : reasons,
    },
    toolRegistry: { totalTools: tools.length, availableTools: tools.map(({ name }) => name) },
    llmService: { providers: [...models.list()], currentModel: currentModel(models) },
  };
}
