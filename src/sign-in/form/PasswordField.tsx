import { useState, type ReactNode } from 'react';

import { useTranslate } from '#src/i18n/i18n.ts';
import { useText } from '#src/sign-in/frame/texts.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field } from '#src/ui/fields/Field.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import type { Form } from '#src/ui/fields/use-form.ts';

import type { TextName } from './TextField.tsx';

interface PasswordFieldProps<Values> {
  readonly form: Form<Values>;
  readonly name: TextName<Values>;
  readonly label: string;
  readonly hint?: string;
  /** With `new-password`, password managers suggest a password. */
  readonly autoComplete: 'current-password' | 'new-password' | 'off';
  readonly autoFocus?: boolean;
  readonly mono?: boolean;
  /** Content below the field, such as the strength. */
  readonly children?: ReactNode;
}

/** A masked field for a secret, with a button to show it. */
export function PasswordField<Values>({ form, name, label, hint, children, ...input }: PasswordFieldProps<Values>) {
  const translate = useTranslate();
  const t = useText();
  const [isVisible, setVisible] = useState(false);
  const error = form.errors[name];
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} required {...(hint ? { hint } : {})} errors={error ? [translate(error)] : []}>
        <div className="relative">
          <TextInput
            {...input}
            type={isVisible ? 'text' : 'password'}
            name={name}
            autoCapitalize="none"
            value={form.values[name] as string}
            onText={(value) => form.change(name, value as Values[typeof name])}
            className="h-8 pr-14"
          />
          <Button
            tone="quiet"
            aria-label={t(isVisible ? 'hideValue' : 'showValue', { label })}
            className="absolute inset-y-1 right-1 h-auto! px-1.5 text-label"
            onClick={() => setVisible(!isVisible)}
          >
            {t(isVisible ? 'hide' : 'show')}
          </Button>
        </div>
      </Field>
      {children}
    </div>
  );
}
