import type { Recalled, ToolOutcome } from '../../../src/contracts/http/conversations';
import { quoteWhatIsKnown } from '../../../src/conversation/answerer';
import { NOTHING_RECALLED } from '../../../src/contracts/runs/turns';

const REASON = 'No language model is configured';

function recalled(...relevances: number[]): Recalled {
  const semantic = relevances.map((similarityScore, index) => ({
    id: `memory-${index}`,
    concept: `c${index}`,
    description: 'x'.repeat(400),
    similarityScore,
  }));
  return { ...NOTHING_RECALLED, semantic } as unknown as Recalled;
}

const outcome = (more: Partial<ToolOutcome>): ToolOutcome => ({
  toolName: 'calculator',
  args: {},
  success: true,
  executionTime: 1,
  ...more,
});

test('the three memories that fit best are quoted, the best first, and cut', () => {
  const { text, sources, degraded, nothingKnown } = quoteWhatIsKnown(
    { tools: [], recalled: recalled(0.2, 0.9, 0.4, 0.5) },
    REASON,
  );
  expect(sources).toEqual(['memory-1', 'memory-3', 'memory-2']);
  expect(text).toMatch(
    /^I cannot answer this\. No language model is configured\. Memory has on it:\n“c1: x+…”/,
  );
  expect(degraded).toEqual([{ service: 'llm', reason: REASON, consequence: 'memories were quoted' }]);
  expect(nothingKnown).toBe(true);
});

test('without a memory it says so, and is not recalled later', () => {
  expect(quoteWhatIsKnown({ tools: [], recalled: NOTHING_RECALLED }, REASON)).toMatchObject({
    text: 'I cannot answer this. No language model is configured. Memory has nothing on it.',
    provider: 'none',
    model: 'none',
    degraded: [{ consequence: 'the message was not answered' }],
    nothingKnown: true,
  });
});

test('what tools returned goes before memories', () => {
  const tools = [outcome({ result: { sum: 5 } }), outcome({ success: false, error: 'Division by zero' })];
  const { text, sources, degraded } = quoteWhatIsKnown({ tools, recalled: recalled(0.9) }, REASON);
  expect(text).toBe('calculator returned {"sum":5}\ncalculator failed: Division by zero');
  expect(sources).toEqual([]);
  expect(degraded).toMatchObject([{ consequence: 'the results of the tools were quoted' }]);
});
