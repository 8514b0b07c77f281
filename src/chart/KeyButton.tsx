import type { ReactNode } from 'react';

import { commandLabels } from '#commands/model/command.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';
import { tip } from '#src/ui/tip.ts';

interface KeyButtonProps {
  readonly command: string;
  /** The command whose key does the same here. */
  readonly keysOf?: string;
  /** The accessible name, if it is not the title of the command. */
  readonly label?: string;
  /** Shown if the command has no key. */
  readonly icon: ReactNode;
}

/** A narrow button that shows only the key of its command, or an icon. */
export function KeyButton({ command: id, keysOf = id, label, icon }: KeyButtonProps) {
  const translate = useTranslate();
  const keyHints = useKeyHints();
  const command = directory().command(id);
  const keys = keyHints(directory().command(keysOf));
  const title = label ?? (command ? translate(commandLabels.title(command)) : id);
  return (
    <CommandButton command={id} tone="quiet" showKeys={false} {...tip(title, { keys })} className="h-6 min-w-6 px-0.5">
      <span className="sr-only">{title}</span>
      {keys === undefined ? icon : <Kbd framed keys={keys.text} />}
    </CommandButton>
  );
}
