import type { ComponentChildren } from 'preact';
import type { ApiProblem } from '../api/client';
import { Problem } from './problem';
import { StatusSign } from './status-sign';

interface DetailProps {
  readonly title: ComponentChildren;
  readonly status?: string;
  /** What is said below the title. */
  readonly about?: ComponentChildren;
  /** Where more of it is. */
  readonly link?: { readonly text: string; readonly href: string };
  readonly problem?: ApiProblem | undefined;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** What is open at the right. */
export function Detail({ title, status, about, link, problem, class: more = '', children }: DetailProps) {
  return (
    <article class={`run ${more}`}>
      <div class="head">
        <h2>{title}</h2>
        <p>
          {status !== undefined && <StatusSign status={status} />} <span class="quiet">{about}</span>
        </p>
        {link !== undefined && (
          <p>
            <a href={link.href}>{link.text}</a>
          </p>
        )}
      </div>
      <Problem problem={problem} />
      {children}
    </article>
  );
}

interface PartProps {
  readonly title: string;
  /** As assistive technology names it; default: its title. */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of it. */
export function Part({ title, label = title, class: name, children }: PartProps) {
  return (
    <section class={name} aria-label={label}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

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
