import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../theme';

const HEIGHT = 150;
const DAY_S = 86_400;
/** Values of all sizes are seen on it. */
const LOGARITHMIC: object = { distr: 3 };

const widthOf = ({ clientWidth }: Element): number => Math.max(200, clientWidth);

export interface Series {
  readonly label: string;
  readonly values: readonly number[];
  /** A variable of the style sheet. */
  readonly color: string;
}

interface ChartProps {
  /** What it shows, in words. */
  readonly text: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** Those that come later are drawn over those before. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Values of all sizes as points, instead of bars. */
  readonly isScattered?: boolean;
}

/** Values in time, and what they say. */
export function Chart({ text, times, series, format, isScattered = false }: ChartProps) {
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
    const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * DAY_S;
    const timeOf = (seconds: number): string =>
      new Date(1_000 * seconds).toISOString().slice(...(isLong ? ([5, 10] as const) : ([11, 19] as const)));
    const sayValue = (value: number | null): string => (value == null ? '' : format(value));
    const plot = new uPlot(
      {
        width: widthOf(current),
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(1_000 * seconds), 'Etc/UTC'),
        cursor: { drag: { x: false, y: false } },
        scales: {
          y: isScattered ? LOGARITHMIC : { range: (_, __, max) => [0, max > 0 ? 1.1 * max : 1] },
        },
        axes: [
          { ...axis, size: 28, values: (_, splits) => splits.map(timeOf) },
          { ...axis, size: 64, values: (_, splits) => splits.map(sayValue) },
        ],
        series: [
          {
            label: 'UTC',
            value: (_: uPlot, seconds: number | null) => (seconds === null ? '' : timeOf(seconds)),
          },
          ...series.map(({ label: name, color }) => ({
            label: name,
            value: (_: uPlot, value: number | null) => sayValue(value),
            fill: colorOf(color),
            paths: isScattered ? () => null : uPlot.paths.bars?.({ size: [0.7, 40] }),
            points: { show: isScattered, size: 6, fill: colorOf(color) },
          })),
        ],
      },
      [[...times], ...series.map(({ values }) => values.map((value) => (value === 0 ? null : value)))],
      current,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: widthOf(current), height: HEIGHT }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, colors]);
  return (
    <figure>
      <figcaption>{text}</figcaption>
      <div class="chart" role="img" aria-label={text} ref={holder} />
    </figure>
  );
}
