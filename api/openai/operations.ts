import { chatOperation } from './chat';
import { responseOperations } from './responses';
import { embeddingOperation } from './embeddings';
import { modelOperations } from './models';
import type { OpenAiOperation, OpenAiPorts } from './ports';

/** The operations of OpenAI's API that the service has. */
export function openAiOperations(ports: OpenAiPorts): readonly OpenAiOperation[] {
  return [...modelOperations, embeddingOperation(ports), chatOperation(ports), ...responseOperations(ports)];
}
