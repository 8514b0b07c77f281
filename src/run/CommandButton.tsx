import type { ComponentProps, ReactNode } from 'react';

import type { Args } from '#commands/model/invocation.ts';
import { availability, isInScope } from '#commands/run/availability.ts';
import { titleFor } from '#commands/run/title.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { Button } from '#src/ui/Button.tsx';

import { invoke } from './invoke.ts';
import { useCommandContext } from './use-context.ts';

interface CommandButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'keys' | 'disabledReason'> {
  /** `noun.verb`. */
  readonly command: string;
  readonly args?: Args;
  /** Shows the command's keys in the button. */
  readonly showKeys?: boolean;
  /** Content after the text. */
  readonly suffix?: ReactNode;
}

/**
 * A button for a command. Its text, its key, and the reason why it is disabled come from the registry. Children replace
 * the text.
 */
export function CommandButton({
  command: id,
  args = {},
  showKeys = true,
  suffix,
  children,
  ...buttonProps
}: CommandButtonProps) {
  const translate = useTranslate();
  const keyHints = useKeyHints();
  const context = useCommandContext();
  const command = directory().command(id);
  if (!command || !context) return null;
  const status = availability(command, context);
  // A key that belongs to another entity does nothing here.
  const focusedEntity = context.focus && directory().entity(context.focus.entity);
  const keys = isInScope(command, focusedEntity) ? keyHints(command) : undefined;
  const content = children ?? translate(titleFor(command, args, context));
  // The strings are still loading, and a button needs a name.
  if (content === '') return null;
  return (
    <Button
      {...buttonProps}
      {...(showKeys && keys ? { keys } : {})}
      {...(status.ok ? {} : { disabledReason: translate(status.reason.message) })}
      onClick={() => void invoke({ id, args })}
    >
      {content}
      {suffix}
    </Button>
  );
}
