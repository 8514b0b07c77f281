import type { Invocation } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';

import { CommandButton } from './CommandButton.tsx';
import { useCommandContext } from './use-context.ts';

interface EmptyActionsProps {
  /** The commands that fill an empty list. The first one is the most likely. */
  readonly actions: readonly Pick<Invocation, 'id' | 'args'>[];
}

/** The buttons of an empty list. If the user can use none of them, the text below says why. */
export function EmptyActions({ actions }: EmptyActionsProps) {
  const translate = useTranslate();
  const context = useCommandContext();
  if (!context) return null;
  const states = actions.flatMap(({ id }) => {
    const command = directory().command(id);
    return command ? [availability(command, context)] : [];
  });
  const reasons = new Set(states.flatMap((state) => (state.ok ? [] : [translate(state.reason.message)])));
  const isUsable = states.some(({ ok }) => ok);
  return (
    <>
      {actions.map(({ id, args }, index) => (
        <CommandButton key={id} command={id} args={args} tone={index === 0 ? 'primary' : 'default'} />
      ))}
      {!isUsable &&
        [...reasons].map((reason) => (
          <p key={reason} className="w-full text-ink-3">
            {reason}
          </p>
        ))}
    </>
  );
}
