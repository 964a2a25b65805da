import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSend } from '../api/send';
import { FormFields } from './form-fields';
import { Problem } from './problem';
import { fieldsOf, readFields, type Schema, type Written } from './schema';

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
