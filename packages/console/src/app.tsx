import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo, hrefOf, place } from './address';
import { LIVE_MS, useAsked } from './api/ask';
import { read } from './api/client';
import { Help } from './help';
import { KeyField } from './key-field';
import { panes } from './panes';
import { Empty } from './parts/empty';
import { useKeys } from './parts/keys';
import { Problem } from './parts/problem';
import { caller, forgetKey, key, needsKey } from './session';
import { theme, toggleTheme } from './theme';

/** How long the second key of `g r` may take, milliseconds. */
const SEQUENCE_MS = 1_500;

const NOTHING =
  'The console shows what the scopes read, memory, tools and admin allow, and this key has none of them.';

/** The one frame of all panes. */
export function App() {
  const mayAsk = !needsKey || key.value !== undefined;
  const { data, problem } = useAsked(
    mayAsk ? `caller ${key.value}` : undefined,
    (signal) => read('/api/keys/self', {}, signal),
    { everyMs: (known) => (known === undefined ? LIVE_MS : undefined) },
  );
  useEffect(() => {
    caller.value = data;
  }, [data]);
  const shown = panes.filter(({ isShown }) => isShown());
  const current = shown.find(({ id }) => id === place.value.pane) ?? shown[0];
  // The list of panes does not change while the page is open, so the order of these hooks does not either.
  const counts = new Map(panes.map(({ id, useCount }) => [id, useCount?.() ?? 0]));
  const open = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [isHelpOpen, openHelp] = useState(false);
  const mainRef = useRef<HTMLElement>(null);
  useGoKeys(
    shown.map(({ id }) => id),
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
        <a class="brand" href={hrefOf(shown[0]?.id ?? '')}>
          holdfast
        </a>
        <nav aria-label="Panes">
          {shown.map(({ id, title }) => (
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
      {isHelpOpen && <Help panes={shown} onClose={() => openHelp(false)} />}
      <main tabIndex={-1} ref={mainRef} key={current?.id}>
        <h1 class="unseen">{current?.title}</h1>
        {!mayAsk && <KeyField />}
        <Problem problem={problem} />
        {current !== undefined && <current.Pane />}
        {caller.value !== undefined && current === undefined && <Empty text={NOTHING} />}
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
