import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo, hrefOf, place } from './address';
import { Help } from './help';
import { KeyField } from './key-field';
import { panes } from './panes';
import { useKeys } from './parts/keys';
import { forgetKey, key, mayAsk, needsKey } from './session';
import { theme, toggleTheme } from './theme';

/** How long the second key of `g r` may take, milliseconds. */
const SEQUENCE_MS = 1_500;

/** The one frame of all panes. */
export function App() {
  const current = panes.find(({ id }) => id === place.value.pane) ?? panes[0];
  // The list of panes does not change while the page is open, so the order of these hooks does not either.
  const counts = new Map(panes.map(({ id, useCount }) => [id, useCount?.() ?? 0]));
  const open = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [isHelpOpen, openHelp] = useState(false);
  const mainRef = useRef<HTMLElement>(null);
  useGoKeys(
    panes.map(({ id }) => id),
    () => openHelp((before) => !before),
  );
  useEffect(() => {
    // An address without a pane becomes that of the pane that is shown.
    if (current !== undefined && place.value.pane !== current.id)
      goTo(hrefOf(current.id, place.value.params), { replace: true });
  }, [current, place.value]);
  useEffect(() => {
    document.title = `${open > 0 ? `(${open}) ` : ''}${current?.title ?? ''} · holdfast`;
  }, [open, current]);
  return (
    <div class="frame">
      <header>
        <button type="button" class="skip" onClick={() => mainRef.current?.focus()}>
          To the content
        </button>
        <a class="brand" href={hrefOf(panes[0]?.id ?? '')}>
          holdfast
        </a>
        <nav aria-label="Panes">
          {panes.map(({ id, title }) => (
            <a key={id} href={hrefOf(id)} aria-current={id === current?.id ? 'page' : undefined}>
              {title}
              {(counts.get(id) ?? 0) > 0 && <span class="count">{counts.get(id)}</span>}
            </a>
          ))}
        </nav>
        <div class="tools">
          {needsKey && key.value !== undefined && (
            <button type="button" onClick={() => forgetKey()}>
              Forget key
            </button>
          )}
          <button type="button" onClick={toggleTheme}>
            {theme() === 'dark' ? 'Light' : 'Dark'}
          </button>
          <button type="button" aria-expanded={isHelpOpen} onClick={() => openHelp(!isHelpOpen)}>
            Keys <kbd>?</kbd>
          </button>
        </div>
      </header>
      {isHelpOpen && <Help panes={panes} onClose={() => openHelp(false)} />}
      <main tabIndex={-1} ref={mainRef} key={current?.id}>
        <h1 class="unseen">{current?.title}</h1>
        {mayAsk.value ? current !== undefined && <current.Pane /> : <KeyField />}
      </main>
    </div>
  );
}

/** `g` and the first letter of a pane lead to it; `?` shows all keys, and `/` leads to the filter of a pane. */
function useGoKeys(ids: readonly string[], toggleHelp: () => void): void {
  const since = useRef(-Infinity);
  const letters = Object.fromEntries(
    ids.map((id) => [
      id.charAt(0),
      () => {
        if (performance.now() - since.current < SEQUENCE_MS) goTo(hrefOf(id));
        since.current = -Infinity;
      },
    ]),
  );
  useKeys({
    ...letters,
    g: () => (since.current = performance.now()),
    '?': toggleHelp,
    '/': () => document.querySelector<HTMLElement>('[data-filter]')?.focus(),
  });
}
