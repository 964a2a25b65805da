import type { ComponentChildren } from 'preact';
import { go, place } from '../address';

/** The fields above a list, whose values the address has. */
export function FilterForm({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <form class="filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly values: readonly string[];
  /** What no choice means; default: any. */
  readonly none?: string;
  /** `/` leads to it. */
  readonly isFirst?: boolean;
}

/** A choice that the address has. */
export function Choice({ name, values, none = `any ${name}`, isFirst = false }: ChoiceProps) {
  return (
    <select
      aria-label={name}
      data-filter={isFirst ? '' : undefined}
      value={place.value.params[name] ?? ''}
      onChange={({ currentTarget }) => go({ [name]: currentTarget.value })}
    >
      <option value="">{none}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {value.replaceAll('_', ' ')}
        </option>
      ))}
    </select>
  );
}

interface TextProps {
  readonly name: string;
  readonly placeholder: string;
  readonly type?: string;
  readonly isFirst?: boolean;
  /** Whether the address has it while it is written; default: once it is written. */
  readonly isLive?: boolean;
}

/** A text that the address has. */
export function Text({ name, placeholder, type = 'text', isFirst = false, isLive = false }: TextProps) {
  return (
    <input
      type={type}
      aria-label={placeholder}
      placeholder={placeholder}
      title={placeholder}
      spellcheck={false}
      data-filter={isFirst ? '' : undefined}
      value={place.value.params[name] ?? ''}
      onChange={({ currentTarget }) => go({ [name]: currentTarget.value.trim() }, { replace: isLive })}
      onInput={({ currentTarget }) => isLive && go({ [name]: currentTarget.value }, { replace: true })}
    />
  );
}
