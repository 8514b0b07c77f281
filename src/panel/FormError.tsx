import { useSetAtom } from 'jotai';
import type { ComponentProps } from 'react';

import { useText } from '#src/i18n/i18n.ts';
import { PartError } from '#src/run/PartError.tsx';
import { formAtom } from '#src/state/layers.ts';
import { Button } from '#src/ui/Button.tsx';

/** Shown instead of a form whose code couldn't be loaded. */
export function FormError(props: ComponentProps<typeof PartError>) {
  const t = useText();
  const setForm = useSetAtom(formAtom);
  return <PartError {...props} actions={<Button onClick={() => setForm(undefined)}>{t('form.close')}</Button>} />;
}
