import type { ComponentProps, ReactNode } from 'react';

import { availability } from '#commands/run/availability.ts';
import type { Args } from '#commands/model/invocation.ts';
import { titleFor } from '#commands/run/title.ts';
import { registry } from '#commands/nouns/all.ts';

import { useSay } from '#src/i18n/i18n.ts';
import { useShownKeys } from '#src/keymap/bindings.ts';
import { Button } from '#src/ui/Button.tsx';
import { useCommandContext } from './use-context.ts';
import { invoke } from './runner.ts';

interface CommandButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'keys' | 'disabledReason'> {
  /** `noun.verb`. */
  readonly command: string;
  readonly args?: Args;
  /** Shows the command's keys in the button. */
  readonly showKeys?: boolean;
  /** Behind the text. */
  readonly after?: ReactNode;
}

/**
 * A button is a reader of the registry: its text, its key, and why it cannot be pressed come from the command.
 * Children stand for the text.
 */
export function CommandButton({ command, args = {}, showKeys = true, after, children, ...rest }: CommandButtonProps) {
  const say = useSay();
  const shownKeys = useShownKeys();
  const context = useCommandContext();
  const of = registry.command(command);
  if (!of || !context) return null;
  const available = availability(of, context);
  const keys = shownKeys(of);
  return (
    <Button
      {...rest}
      {...(showKeys && keys ? { keys } : {})}
      {...(available.ok ? {} : { disabledReason: say(available.reason.message) })}
      onClick={() => void invoke({ id: command, args })}
    >
      {children ?? say(titleFor(of, args, context))}
      {after}
    </Button>
  );
}
