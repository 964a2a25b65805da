/** The local model where the settings name none: what Ollama has after `ollama pull llama3.1`. */
export const DEFAULT_LOCAL_MODEL = 'llama3.1';
