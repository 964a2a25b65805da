import type { ComponentType } from 'preact';

/** A pane of the console: an entry of the navigation and what it shows. */
export interface Pane {
  /** Its name in the address. `g` and its first letter lead to it. */
  readonly id: string;
  readonly title: string;
  readonly Pane: ComponentType;
  /** Whether the key may see it. */
  readonly isShown: () => boolean;
  /** A hook for the number beside its title, such as that of open approvals; 0 is not shown. */
  readonly useCount?: () => number;
}
