import type { Pane } from './panes';
import { useKeys } from './parts/keys';

const KEYS = [
  ['j', 'next row'],
  ['k', 'row before'],
  ['Enter', 'open the row'],
  ['Esc', 'close what is open'],
  ['/', 'to the filter'],
  ['?', 'these keys'],
] as const;

/** The keys of the console, as a strip under the header. */
export function Help({ panes, onClose }: { panes: readonly Pane[]; onClose: () => void }) {
  useKeys({ Escape: onClose }, true);
  const all = [...KEYS, ...panes.map(({ id, title }) => [`g ${id.charAt(0)}`, title] as const)];
  return (
    <aside class="help" aria-label="Keys">
      <dl>
        {all.map(([name, does]) => (
          <div key={name}>
            <dt>
              {name.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
