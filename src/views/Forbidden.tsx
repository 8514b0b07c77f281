import { permissionOf, type Ability } from '#commands/core/ability';

import { useText } from '../i18n.ts';
import { StateMessage } from '../ui/StateMessage.tsx';

/** A screen that this person may not open: which permission it takes and who can grant it. */
export function Forbidden({ ability }: { readonly ability: Ability }) {
  const text = useText();
  return (
    <StateMessage title={text('screen.forbidden')}>
      {text('screen.forbiddenHint', { permission: permissionOf(ability) })}
    </StateMessage>
  );
}
