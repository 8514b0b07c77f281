import type { ComponentProps, ReactNode } from 'react';

import { useTranslate } from '#src/i18n/i18n.ts';
import { Field } from '#src/ui/fields/Field.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import type { Form } from '#src/ui/fields/use-form.ts';

/** Names of a form's text fields. */
export type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] &
  string;

interface TextFieldProps<Values> extends Omit<
  ComponentProps<typeof TextInput>,
  'form' | 'name' | 'value' | 'onText' | 'className'
> {
  readonly form: Form<Values>;
  readonly name: TextName<Values>;
  readonly label: string;
  readonly hint?: string;
  readonly aside?: ReactNode;
}

/**
 * A required text field with its label and error. `autoComplete` declares its purpose to password managers.
 */
export function TextField<Values>({ form, name, label, hint, aside, ...input }: TextFieldProps<Values>) {
  const translate = useTranslate();
  const error = form.errors[name];
  return (
    <Field label={label} required {...(hint ? { hint } : {})} errors={error ? [translate(error)] : []} aside={aside}>
      <TextInput
        {...input}
        name={name}
        value={form.values[name] as string}
        onText={(value) => form.change(name, value as Values[typeof name])}
        className="h-8"
      />
    </Field>
  );
}
