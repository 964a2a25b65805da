import { createIntentClassification } from '../../../../src/intent/service/classification';
import { HoldfastError } from '../../../../src/base/errors';
import { createProviders } from '../../../../src/factories/create-providers';
import { createBuiltinProvider, rules } from '../../../support/rules';
import { loadConfig } from '../../../../src/settings/config';
import { NO_LEDGER } from '../../../support/spending';
import { NO_STAND_INS } from '../../../support/stand-ins';

const calculator = { name: 'calculator', description: 'Adds and multiplies numbers', inputSchema: {} };

function ports() {
  const providers = createProviders(loadConfig({}), createBuiltinProvider());
  return {
    classifier: rules.classifier,
    providers: jest.fn(() => Promise.resolve(providers)),
    tools: jest.fn(() => Promise.resolve([calculator])),
    ledger: NO_LEDGER,
    standIns: NO_STAND_INS,
    firstReader: 'auto' as const,
    honoursModel: true,
    maxWaitMs: 1_000,
    toolTimes: jest.fn((names: readonly string[]) =>
      Promise.resolve(new Map(names.map((name): [string, number] => [name, 7]))),
    ),
  };
}

describe('classifications of one batch', () => {
  it('read what all of them go by once', async () => {
    const given = ports();
    const batch = createIntentClassification(given).forBatch();
    const queries = ['What is 15 times 7?', 'What is 3 plus 4?', 'hello there, how are you doing'];
    const classified = await Promise.all(
      Array.from({ length: 25 }, (_, n) => batch.classify(queries[n % 3] ?? '', {})),
    );
    expect(classified[0]?.executionPlan).toMatchObject({ steps: ['run calculator', 'answer'] });
    expect(classified[0]?.executionPlan.estimatedTime).toBe(12);
    for (const read of [given.providers, given.tools, given.toolTimes]) expect(read).toHaveBeenCalledTimes(1);
  });

  it('are each by themselves where they are no batch', async () => {
    const given = ports();
    const classification = createIntentClassification(given);
    await classification.classify('What is 15 times 7?', {});
    await classification.classify('What is 15 times 7?', {});
    for (const read of [given.providers, given.tools, given.toolTimes]) expect(read).toHaveBeenCalledTimes(2);
  });

  it('all fail where what they go by cannot be read', async () => {
    const given = ports();
    given.providers.mockRejectedValueOnce(new HoldfastError('INTENT_NOT_INITIALIZED', 'not yet'));
    const batch = createIntentClassification(given).forBatch();
    for (let n = 0; n < 2; n += 1) {
      await expect(batch.classify('hello', {})).rejects.toMatchObject({ code: 'INTENT_NOT_INITIALIZED' });
    }
  });
});
