import type { ReactNode } from 'react';

import { useText } from '#src/i18n/i18n.ts';

import { LoadError } from './LoadError.tsx';

interface PartErrorProps {
  readonly error: unknown;
  readonly retry: () => void;
  readonly actions?: ReactNode;
}

/** Shown in place of a part of the console that could not be loaded. */
export function PartError(props: PartErrorProps) {
  const t = useText();
  return <LoadError title={t('screen.failed')} {...props} />;
}
