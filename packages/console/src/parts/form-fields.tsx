import { useId } from 'preact/hooks';
import type { Field, Written } from './schema';

interface FormFieldsProps {
  readonly fields: readonly Field[];
  readonly written: Written;
  /** What is wrong, by the paths of fields. */
  readonly mistakes: Readonly<Record<string, string>>;
  readonly onWrite: (path: string, text: string) => void;
}

/** The fields of a form made from a schema. */
export function FormFields({ fields, ...rest }: FormFieldsProps) {
  return (
    <>
      {fields.map((field) =>
        field.kind === 'object' ? (
          <fieldset key={field.path}>
            <legend>{field.name}</legend>
            {field.description !== undefined && <p class="quiet">{field.description}</p>}
            <FormFields fields={field.fields} {...rest} />
          </fieldset>
        ) : (
          <FormField key={field.path} field={field} {...rest} />
        ),
      )}
    </>
  );
}

function FormField({
  field,
  written,
  mistakes,
  onWrite,
}: Omit<FormFieldsProps, 'fields'> & { field: Field }) {
  const id = useId();
  const { path, name, kind, isRequired, description, values } = field;
  const mistake = mistakes[path];
  const shared = {
    id,
    value: written[path] ?? '',
    'aria-invalid': mistake !== undefined,
    'aria-describedby': `${id}-about`,
    'aria-required': isRequired,
  };
  return (
    <div class="field">
      <label for={id}>
        {name} {!isRequired && <span class="quiet">optional</span>}
      </label>
      {kind === 'choice' || kind === 'boolean' ? (
        <select {...shared} onChange={({ currentTarget }) => onWrite(path, currentTarget.value)}>
          <option value="" />
          {(kind === 'boolean' ? [true, false] : values).map((value) => (
            <option key={String(value)}>{String(value)}</option>
          ))}
        </select>
      ) : kind === 'number' ? (
        <input
          {...shared}
          inputMode="decimal"
          onInput={({ currentTarget }) => onWrite(path, currentTarget.value)}
        />
      ) : (
        <textarea
          {...shared}
          class={kind === 'json' ? 'json-field' : undefined}
          placeholder={kind === 'json' ? 'JSON' : undefined}
          rows={kind === 'json' ? 2 : 1}
          spellcheck={false}
          onInput={({ currentTarget }) => onWrite(path, currentTarget.value)}
        />
      )}
      <p id={`${id}-about`} class="about">
        {mistake !== undefined && <span class="mistake">{mistake}. </span>}
        <span class="quiet">{description}</span>
      </p>
    </div>
  );
}
