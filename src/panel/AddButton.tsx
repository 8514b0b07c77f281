import type { Invocation } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { useCommandContext } from '#src/run/use-context.ts';

interface AddButtonProps {
  readonly add: Invocation;
  /** True to show the reason instead of the button if the user can't run the command. */
  readonly explains: boolean;
}

/** The button that adds a row to a tab. */
export function AddButton({ add, explains }: AddButtonProps) {
  const translate = useTranslate();
  const context = useCommandContext();
  const command = directory().command(add.id);
  const status = command && context && availability(command, context);
  if (explains && status?.ok === false) return <p className="text-ink-3">{translate(status.reason.message)}</p>;
  return <CommandButton command={add.id} args={add.args} />;
}
