const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/**
 * The names of fields and options that the contract has anywhere in an area. Clients send them to operations at which they
 * have no effect, too. If one has an effect at another level of the same request, the request is refused.
 */
const TOOLS = wordsOf(`
  name description parameters execute toolName args tools query model temperature
`);
const WORKFLOW = wordsOf(`
  query model temperature maxTokens maxIterations inputs name steps id type config url method headers
  params prompt toolName args description estimatedTime requiredTools builtin
`);
const GENERATION = ['model', 'temperature', 'maxTokens', 'topP'];
const AGENT = [
  ...GENERATION,
  ...wordsOf(`
  query userId sessionId includeMemoryContext maxMemoryResults includeReasoning previousIntents
  responseDetailLevel excludeVectors memoryThreshold toolTimeout maxToolRetries hintIntent
  memorySearchTerms crossSessionMemory
`),
];
const INTENTS = [
  ...GENERATION,
  ...wordsOf(`
  query queries id userId sessionId includeReasoning previousIntents context parallel maxConcurrency
  confidenceThreshold maxRetries timeout hintIntent
`),
];
const MEMORY = wordsOf(`
  id userId sessionId timestamp content context metadata relationships concept description source
  importance tags location participants previous next related category confidence lastAccessed
  accessCount similar parent children query type limit threshold filters timeRange start end
  categories min max relationshipType
`);
const MEMORY_CHAT = [
  ...MEMORY,
  ...wordsOf(`
  message includeMemories maxMemories offset model temperature maxTokens
`),
];

/** By the beginning of a path. The bodies that are not here have all names that the contract has of them. */
const AREAS: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^\/api\/tools(?:\/|$)/, new Set(TOOLS)],
  [/^\/api\/workflow(?:\/|$)/, new Set(WORKFLOW)],
  [/^\/api\/agent\/(?!initialize)/, new Set(AGENT)],
  [/^\/api\/intent-classifier\/(?!initialize)/, new Set(INTENTS)],
  [/^\/api\/memory\/(?!consolid|reindex|clear)/, new Set(MEMORY)],
  [/^\/api\/memory-chat\/(?!initialize)/, new Set(MEMORY_CHAT)],
];

const NONE: ReadonlySet<string> = new Set();

/** The names that the area of a route accepts without an effect. Pure. @param path as the route has it */
export function contractNames(path: string): ReadonlySet<string> {
  return AREAS.find(([pattern]) => pattern.test(path))?.[1] ?? NONE;
}
