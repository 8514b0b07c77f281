import type { Message } from '#commands/text/message.ts';

import { code } from './checks.ts';
import { useForm, type Form } from './use-form.ts';

/** A form that asks for a one-time code and nothing else. */
export function useCodeForm(submit: (code: string) => Promise<void>, otherwise: Message): Form<{ code: string }> {
  return useForm({
    initial: { code: '' },
    check: (values) => ({ code: code(values.code) }),
    submit: (values) => submit(values.code),
    otherwise,
  });
}
