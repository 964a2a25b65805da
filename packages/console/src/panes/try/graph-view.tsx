import { kindOf } from '../../parts/status-sign';
import type { GraphNode } from './graph';

const [WIDTH, HEIGHT, GAP, ROW] = [156, 40, 12, 68] as const;
const MAX_LETTERS = 20;

const cut = (text: string): string =>
  text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text;

interface GraphProps {
  readonly nodes: readonly GraphNode[];
  /** How the steps of the run are that follows the workflow, by their ids. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** The steps of a workflow, each below those that it waits for. */
export function Graph({ nodes, statuses }: GraphProps) {
  const columns = Math.max(1, ...nodes.map(({ column }) => column + 1));
  const rows = Math.max(1, ...nodes.map(({ row }) => row + 1));
  const [width, height] = [columns * (WIDTH + GAP), rows * ROW - 20];
  const leftOf = ({ column }: GraphNode): number => GAP / 2 + column * (WIDTH + GAP);
  const texts = nodes.map(({ id, after }) => {
    const status = statuses.get(id);
    const waits = after.length === 0 ? '' : ` after ${after.map((each) => each.id).join(' and ')}`;
    return `${id}${waits}${status === undefined ? '' : `, ${status}`}`;
  });
  return (
    <svg
      class="graph"
      role="img"
      aria-label={`Steps: ${texts.join('; ')}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
    >
      {nodes.flatMap((node) =>
        node.after.map((from) => {
          const [x1, y1] = [leftOf(from) + WIDTH / 2, from.row * ROW + HEIGHT + 2];
          const [x2, y2] = [leftOf(node) + WIDTH / 2, node.row * ROW + 2];
          return (
            <path
              key={`${from.id} ${node.id}`}
              d={`M${x1} ${y1}C${x1} ${y1 + 20} ${x2} ${y2 - 20} ${x2} ${y2}`}
            />
          );
        }),
      )}
      {nodes.map((node) => {
        const { id, type, row } = node;
        const [x, y] = [leftOf(node), row * ROW + 2];
        return (
          <g key={id} class={`node ${kindOf(statuses.get(id) ?? '')}`}>
            <title>{`${id} (${type}) ${statuses.get(id) ?? ''}`}</title>
            <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="6" />
            <text x={x + 10} y={y + 17}>
              {cut(id)}
            </text>
            <text class="type" x={x + 10} y={y + 32}>
              {cut(`${type}${statuses.has(id) ? ` · ${statuses.get(id)}` : ''}`)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
