import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useSend } from '../api/send';
import { Problem } from './problem';
import { type Field, fieldsOf, readFields, type Schema, type Written } from './schema';

interface SchemaFormProps {
  readonly label: string;
  readonly schema: Schema;
  /** What the button says. */
  readonly submit: string;
  /** Sends what is written, once it fits the schema. Its error is shown below the fields. */
  readonly onSubmit: (value: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly isOff?: boolean;
  /** Further buttons, for what is written. */
  readonly extra?: (value: Readonly<Record<string, unknown>>) => ComponentChildren;
}

/** A form made from a schema, which says what is wrong once a person has tried to send it. */
export function SchemaForm({ label, schema, submit, onSubmit, isOff = false, extra }: SchemaFormProps) {
  const [written, setWritten] = useState<Written>({});
  const [isTried, setTried] = useState(false);
  const { isSending, problem, send } = useSend();
  const fields = fieldsOf(schema);
  const { value, mistakes } = readFields(fields, written);
  return (
    <form
      class="answer"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (Object.keys(mistakes).length === 0) send(() => onSubmit(value));
      }}
    >
      <FormFields
        fields={fields}
        written={written}
        mistakes={isTried ? mistakes : {}}
        onWrite={(path, text) => setWritten((before) => ({ ...before, [path]: text }))}
      />
      <Problem problem={problem} />
      <div class="actions">
        <button type="submit" class="main" disabled={isSending || isOff}>
          {submit}
        </button>
        {extra?.(value)}
      </div>
    </form>
  );
}

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
      ) : (
        <textarea
          {...shared}
          class={kind === 'json' ? 'json-field' : undefined}
          placeholder={kind === 'json' ? 'JSON' : undefined}
          inputMode={kind === 'number' ? 'decimal' : undefined}
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
