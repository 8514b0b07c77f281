import { useAtomValue } from 'jotai';

import type { Focus } from '#commands/model/context.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { focusAtom } from '#src/state/focus.ts';

/** True if commands have something to act on. */
export function hasTarget(focus: Focus | undefined): focus is Focus {
  return focus?.target !== undefined || focus?.active !== undefined;
}

/** Returns the name of the screen's target, if any, such as `CFC3 C7B6` or `214 in error`. */
export function useTargetName(): string | undefined {
  const translate = useTranslate();
  const t = useText();
  const focus = useAtomValue(focusAtom);
  if (!hasTarget(focus)) return undefined;
  return focus.name ? translate(focus.name) : t('target.loading');
}

/** Shows the target's name next to its actions: `→ CFC3 C7B6`. */
export function TargetName({ className }: { readonly className?: string }) {
  const name = useTargetName();
  if (name === undefined) return null;
  return (
    <span className={className}>
      <span aria-hidden>→ </span>
      {name}
    </span>
  );
}
