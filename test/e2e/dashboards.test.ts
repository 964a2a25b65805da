import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { figuresIn, readProjectFile } from '../support/deployment';
import { parseFigures, readFigures } from '../support/figures';
import { freePort } from '../support/free-port';
import { LEXICAL } from '../support/memories';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

/** Prometheus makes this metric itself for each process that it scrapes. */
const OF_PROMETHEUS = ['up'];
/** The SDK reports these metrics only after a failure; their names come from its code. */
const AFTER_A_FAILURE = ['temporal_workflow_task_execution_failed_total', 'temporal_request_failure_total'];

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

interface Question {
  readonly asker: string;
  readonly expression: string;
}

function questions(): Question[] {
  const { panels } = JSON.parse(readProjectFile('deploy/grafana/dashboards/holdfast.json')) as {
    panels: readonly Panel[];
  };
  const ofPanels = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ asker: `the panel "${title}"`, expression: expr })),
  );
  const { groups } = parse(readProjectFile('deploy/prometheus/rules.yml')) as Rules;
  const ofRules = groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => ({ asker: `the rule ${alert}`, expression: expr })),
  );
  return [...ofPanels, ...ofRules];
}

describe('what dashboards and rules ask for', () => {
  let stage: Stage;
  let exposed: Set<string>;
  const labels = new Map<string, Set<string>>();

  beforeAll(async () => {
    stage = await openStage();
    const addresses = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`] as const;
    const [api] = await Promise.all([
      stage.api({ ...LEXICAL, METRICS_ADDRESS: addresses[0] }),
      stage.worker({ ...LEXICAL, METRICS_ADDRESS: addresses[1] }),
    ]);
    // The calls are an inline call, one with a regular activity, one of a model, and one that fails.
    const calls = [
      { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } },
      { toolName: 'api_call', args: { url: `${api.url}/livez` } },
      { toolName: 'calculator', args: { operation: 'divide', a: 1, b: 0 } },
    ];
    const statuses = await Promise.all(calls.map((call) => api.post('/api/tools/execute', call)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 500]);
    expect((await api.post('/api/tools/mcp', { query: 'add 1 and 2' })).status).toBe(200);
    exposed = await waitFor(
      async () => {
        const figures = (await Promise.all(addresses.map(readFigures))).flat();
        for (const { name, labels: of } of figures) {
          const known = labels.get(name) ?? new Set();
          Object.keys(of).forEach((label) => known.add(label));
          labels.set(name, known);
        }
        const names = new Set(figures.map(({ name }) => name));
        return names.has('temporal_workflow_completed_total') && names;
      },
      { what: 'the figures of a finished run' },
    );
  });

  afterAll(() => stage.close());

  test('there is something asked', () => {
    expect(questions().length).toBeGreaterThan(30);
  });

  test.each(questions())('$asker asks for figures that real processes have', ({ expression }) => {
    const missing = figuresIn(expression).filter(
      (name) => !exposed.has(name) && ![...OF_PROMETHEUS, ...AFTER_A_FAILURE].includes(name),
    );
    expect(missing).toEqual([]);
  });

  test.each(questions())('$asker groups by labels that they have', ({ expression }) => {
    const known = figuresIn(expression).flatMap((name) => [...(labels.get(name) ?? [])]);
    if (figuresIn(expression).some((name) => AFTER_A_FAILURE.includes(name))) return;
    const groupings = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(',').map((label) => label.trim()),
    );
    for (const label of groupings.filter((name) => name !== 'instance')) expect(known).toContain(label);
  });

  test('those that are there only after a failure are names of the SDK', () => {
    const bridge = dirname(require.resolve('@temporalio/core-bridge/package.json'));
    const [release = ''] = readdirSync(join(bridge, 'releases')).filter((name) => name.includes('linux'));
    const code = readFileSync(join(bridge, 'releases', release, 'index.node'));
    for (const name of AFTER_A_FAILURE) {
      const plain = name.replace(/^temporal_/, '').replace(/_total$/, '');
      expect([name, code.includes(plain)]).toEqual([name, true]);
    }
  });

  test('every figure of the service is in docs/operators/metrics.md, and no other', async () => {
    const page = readProjectFile('docs/operators/metrics.md');
    const documented = new Set([...page.matchAll(/^\| `(holdfast_\w+)`/gm)].map(([, name]) => name));
    const own = [...exposed]
      .filter((name) => name.startsWith('holdfast_'))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect([...new Set(own)].sort()).toEqual([...documented].sort());
  });
});

describe('reading figures', () => {
  test('takes names, labels and values of the text format', () => {
    const text = '# HELP a what it is\n# TYPE a counter\na{x="1",y="a \\"b\\", c"} 2.5\nb 1e3\n';
    expect(parseFigures(text)).toEqual([
      { name: 'a', labels: { x: '1', y: 'a \\"b\\", c' }, value: 2.5 },
      { name: 'b', labels: {}, value: 1_000 },
    ]);
  });

  test('finds the names in an expression, and nothing else', () => {
    expect(
      figuresIn(
        'histogram_quantile(0.9, sum by (le, a_label) (rate(one_bucket{b="two"}[5m]))) > 2 or absent(three)',
      ),
    ).toEqual(['one_bucket', 'three']);
    expect(
      figuresIn('sum by (p) (up{job="x"} * on (instance) group_left (p) group by (i) (four)) == 0'),
    ).toEqual(['up', 'four']);
  });
});
