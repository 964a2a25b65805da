import type { ProviderName } from '../../contracts/http/llm';

/** Who reads a query first: `rules` ask the model only in doubt. `auto`: the rules where the model is a local one. */
export type FirstReader = 'auto' | 'rules' | 'model';

/** Whether rules classify before a model of this provider. Local models are slow, and small ones classify worse. Pure. */
export function asksRulesFirst(reader: FirstReader, provider: ProviderName): boolean {
  return reader === 'auto' ? provider === 'local' : reader === 'rules';
}
