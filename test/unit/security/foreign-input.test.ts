import { isHoldfastError } from '../../../src/base/errors';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { hostileInputs } from './foreign/hostile-input';
import { localParsers } from './foreign/local-parsers';
import { MCP_PARSERS } from './foreign/mcp-parsers';
import type { Parser } from './foreign/parser';
import { startPeerParsers, type PeerParsers } from './foreign/peer-parsers';

/** Fixed, so that a failure can be repeated. Another one chooses other places and depths. */
const SEED = 20_261_126;

let dir: TempDir;
let peer: PeerParsers;
let parsers: ReadonlyMap<string, Parser>;
beforeAll(async () => {
  dir = makeTempDir();
  peer = await startPeerParsers();
  parsers = new Map(
    [...MCP_PARSERS, ...localParsers(dir.path), ...peer.parsers].map((parser) => [parser.name, parser]),
  );
});
afterAll(async () => {
  await peer.close();
  dir.remove();
});

/** What an error counts as: its documented code, or its class. */
const kindOf = (error: unknown): string => (isHoldfastError(error) ? error.code : (error as Error).name);

async function outcomeOf({ parse }: Parser, input: Parameters<Parser['parse']>[0]): Promise<string> {
  try {
    await parse(input);
    return 'accepted';
  } catch (error) {
    return kindOf(error);
  }
}

// A rejected promise that no code takes fails these tests as any others.
test('every parser of foreign input accepts an honest one', async () => {
  for (const parser of parsers.values()) {
    const { name, sample, isFailure = false, codes } = parser;
    const outcome = await outcomeOf(parser, { text: JSON.stringify(sample), value: structuredClone(sample) });
    expect([name, isFailure ? codes.includes(outcome) : outcome]).toEqual([name, isFailure || 'accepted']);
  }
});

test('none fails in another way than documented at nested, wide, long and cyclic input', async () => {
  const wrong: string[] = [];
  let inputs = 0;
  for (const parser of parsers.values()) {
    for (const input of hostileInputs(parser.sample, SEED)) {
      if (input.name.startsWith('a cycle') && parser.takesValues !== true) continue;
      inputs += 1;
      const outcome = await outcomeOf(parser, input);
      if (outcome !== 'accepted' && !parser.codes.includes(outcome))
        wrong.push(`${parser.name}: ${outcome} for ${input.name}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(inputs).toBeGreaterThan(parsers.size * 9);
});
