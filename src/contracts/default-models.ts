/** The local model if the settings name none: what Ollama has after `ollama pull llama3.1`. */
export const DEFAULT_LOCAL_MODEL = 'llama3.1';

/** The address of the hosted provider if the settings name no other. */
export const OPENAI_URL = 'https://api.openai.com/v1';
