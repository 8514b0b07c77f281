import { useTranslate } from '#src/i18n/i18n.ts';
import { Field } from '#src/ui/fields/Field.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import type { Form } from '#src/ui/fields/use-form.ts';

import { CODE_LENGTH } from './checks.ts';

interface CodeFieldProps {
  readonly form: Form<{ code: string }>;
  readonly label: string;
  readonly hint?: string;
}

/**
 * A field for a one-time code. Phones can fill in the code, a pasted code can contain spaces, and the last digit
 * submits the form.
 */
export function CodeField({ form, label, hint }: CodeFieldProps) {
  const translate = useTranslate();
  const { code } = form.errors;
  const changeCode = (text: string): void => {
    const digits = text.replaceAll(/\D/g, '').slice(0, CODE_LENGTH);
    form.change('code', digits);
    if (digits.length === CODE_LENGTH && digits !== form.values.code) form.submit();
  };
  return (
    <Field label={label} required {...(hint ? { hint } : {})} errors={code ? [translate(code)] : []}>
      <TextInput
        autoFocus
        mono
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={form.values.code}
        onText={changeCode}
        className="h-9 text-[15px]! tracking-[0.4em]"
      />
    </Field>
  );
}
