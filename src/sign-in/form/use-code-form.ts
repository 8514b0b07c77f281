import type { Message } from '#commands/text/message.ts';
import { useForm, type Form } from '#src/ui/fields/use-form.ts';

import { code } from './checks.ts';
import { problemOf } from './problems.ts';

/** Returns a form with only a one-time code. */
export function useCodeForm(submit: (code: string) => Promise<void>, fallback: Message): Form<{ code: string }> {
  return useForm({
    initial: { code: '' },
    check: (values) => ({ code: code(values.code) }),
    submit: (values) => submit(values.code),
    explain: (error) => problemOf(error, fallback),
  });
}
