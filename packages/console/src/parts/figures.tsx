import type { ComponentChildren } from 'preact';

export type Figure = readonly [name: string, value: ComponentChildren];

/** Names and values in a row. A value that is undefined is left out. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, value], at) =>
        value === undefined ? null : (
          <div key={`${name} ${at}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
