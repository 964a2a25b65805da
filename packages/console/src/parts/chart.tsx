import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../theme';

const HEIGHT = 150;

export interface Series {
  readonly label: string;
  readonly values: readonly number[];
  /** A variable of the style sheet. */
  readonly color: string;
}

interface ChartProps {
  /** What it shows, with the figures that a reader without it needs. */
  readonly label: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Those that come later are drawn over those before. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Values of all sizes as points, instead of bars. */
  readonly isScattered?: boolean;
}

/** Values in time. A table or a text beside it says the same. */
export function Chart({ label, times, series, format, isScattered = false }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const data = JSON.stringify([times, series]);
  const colors = theme();
  useEffect(() => {
    const { current } = holder;
    if (current === null) return undefined;
    const style = getComputedStyle(current);
    const colorOf = (name: string): string => style.getPropertyValue(name);
    const axis = {
      stroke: colorOf('--text-quiet'),
      grid: { stroke: colorOf('--line'), width: 1 },
      ticks: { show: false },
    };
    const plot = new uPlot(
      {
        width: Math.max(200, current.clientWidth),
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(1_000 * seconds), 'Etc/UTC'),
        cursor: { drag: { x: false, y: false } },
        scales: { y: isScattered ? { distr: 3 } : { range: (_, __, max) => [0, Math.max(max * 1.1, 1e-6)] } },
        axes: [
          axis,
          {
            ...axis,
            size: 64,
            values: (_, values) => values.map((each) => (each == null ? '' : format(each))),
          },
        ],
        series: [
          {},
          ...series.map(({ label: name, color }) => ({
            label: name,
            value: (_: uPlot, value: number | null) => (value == null ? '' : format(value)),
            ...(isScattered
              ? {
                  stroke: colorOf(color),
                  paths: () => null,
                  points: { show: true, size: 5, fill: colorOf(color) },
                }
              : {
                  fill: colorOf(color),
                  stroke: colorOf(color),
                  paths: uPlot.paths.bars?.({ size: [0.7, 40] }),
                  points: { show: false },
                }),
          })),
        ],
      },
      [[...times], ...series.map(({ values }) => [...values])],
      current,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(200, current.clientWidth), height: HEIGHT }),
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, colors]);
  return <div class="chart" role="img" aria-label={label} ref={holder} />;
}
