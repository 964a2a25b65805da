import { effect, signal } from '@preact/signals';

const STORED = 'holdfast-theme';
type Theme = 'light' | 'dark';

const chosen = signal<Theme | undefined>(readChosen());
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const system = signal<Theme>(prefersDark.matches ? 'dark' : 'light');
prefersDark.addEventListener('change', ({ matches }) => (system.value = matches ? 'dark' : 'light'));

function readChosen(): Theme | undefined {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}

/** Puts the theme on the page, whose style sheet has the colours of both. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = chosen.value ?? system.value;
  });
}

export const theme = (): Theme => chosen.value ?? system.value;

/** Changes to the other theme. What the system prefers is not stored, so that the page follows it again. */
export function toggleTheme(): void {
  const next = theme() === 'dark' ? 'light' : 'dark';
  chosen.value = next === system.value ? undefined : next;
  if (chosen.value === undefined) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, chosen.value);
}
