import type { ComponentType } from 'preact';

/** A part of what there is to operate. */
export interface Section {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly Section: ComponentType;
  /** Whether the service has it and the key may see it; absent: always. */
  readonly isShown?: () => boolean;
}
