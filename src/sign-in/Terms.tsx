import { createLazyRoute } from '@tanstack/react-router';

import { useTranslate } from '#src/i18n/i18n.ts';
import { Checkbox } from '#src/ui/fields/Checkbox.tsx';
import { FieldContext } from '#src/ui/fields/field-context.ts';
import { useForm } from '#src/ui/fields/use-form.ts';

import { LoginForm } from './form/LoginForm.tsx';
import { problemOf } from './form/problems.ts';
import { SignedInAs } from './frame/SignedInAs.tsx';
import { pageMessage, useText } from './frame/texts.ts';
import { useContinue } from './frame/use-continue.ts';
import { runOwnCommand } from './run-own-command.ts';
import { TermsText } from './TermsText.tsx';

const BOX = 'accept-terms';

function Terms() {
  const translate = useTranslate();
  const t = useText();
  const proceed = useContinue();
  const form = useForm({
    initial: { accepted: false },
    check: ({ accepted }) => ({ accepted: accepted ? undefined : pageMessage('terms.mustAccept') }),
    submit: async () => {
      await runOwnCommand('me.accept-terms', { accept: true });
      await proceed();
    },
    explain: (error) => problemOf(error, pageMessage('terms.failed')),
  });
  const error = form.errors.accepted;
  return (
    <LoginForm
      form={form}
      title={t('terms.title')}
      submitLabel={t('terms.submit')}
      busyLabel={t('terms.busy')}
      footer={<SignedInAs />}
    >
      <TermsText />
      <div className="flex flex-col gap-1">
        <FieldContext
          value={{
            id: BOX,
            'aria-required': true,
            ...(error ? { 'aria-invalid': true, 'aria-describedby': `${BOX}-error` } : {}),
          }}
        >
          <Checkbox
            checked={form.values.accepted}
            onChecked={(accepted) => form.change('accepted', accepted)}
            label={t('terms.accept')}
          />
        </FieldContext>
        {error && (
          <p id={`${BOX}-error`} role="alert" className="text-label text-error-text">
            {translate(error)}
          </p>
        )}
      </div>
    </LoginForm>
  );
}

export const lazyTerms = createLazyRoute('/login/terms-and-conditions')({ component: Terms });
