import type { PasswordPolicy } from '#src/auth/account.ts';
import { PasswordField } from '#src/sign-in/form/PasswordField.tsx';
import type { TextName } from '#src/sign-in/form/TextField.tsx';
import type { Form } from '#src/ui/fields/use-form.ts';

import { PolicyRules } from './PolicyRules.tsx';
import { StrengthMeter } from './StrengthMeter.tsx';

interface NewPasswordFieldProps<Values> {
  readonly form: Form<Values>;
  readonly name: TextName<Values>;
  readonly label: string;
  readonly policy: PasswordPolicy | undefined;
  readonly autoFocus?: boolean;
}

/** A field for a new password. While the user types, it shows the password's strength and the rules that it meets. */
export function NewPasswordField<Values>({ policy, ...field }: NewPasswordFieldProps<Values>) {
  const password = field.form.values[field.name] as string;
  return (
    <PasswordField {...field} autoComplete="new-password">
      <StrengthMeter password={password} />
      {policy && <PolicyRules policy={policy} password={password} />}
    </PasswordField>
  );
}
