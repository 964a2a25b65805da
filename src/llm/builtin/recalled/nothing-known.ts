/** What is said where nothing is known that answers; it says what would help. */
export function nothingKnown(query: string, intentType: string): string {
  const subject = query.trim().replace(/\s+/g, ' ').slice(0, 200);
  switch (intentType) {
    case 'memory_chat':
    case 'hybrid':
      return `I have no memory that answers this: ${subject === '' ? 'nothing was asked' : `“${subject}”`}. Tell me, and I will remember it.`;
    case 'knowledge_search':
      return (
        'Nothing in my stored knowledge answers this, and no language model is configured that might know. ' +
        'Store what you know about it as a semantic memory, or configure a model (OPENAI_API_KEY or LOCAL_LLM_BASE_URL).'
      );
    case 'tool_execution':
      return 'I could not make out what to run here. Name the tool and its values, such as “multiply 6 by 7”.';
    default:
      return (
        'No language model is configured, so I can only hold a simple conversation. I can calculate, use tools, remember what ' +
        'you tell me about yourself and answer questions about it.'
      );
  }
}
