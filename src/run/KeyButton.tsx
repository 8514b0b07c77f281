import type { ReactNode } from 'react';

import { commandLabels } from '#commands/model/command.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import { tip } from '#src/ui/tip.ts';

import { CommandButton } from './CommandButton.tsx';

/** The maximum length of keys that fit in a row of narrow buttons. */
const MAX_LENGTH = 8;

interface KeyButtonProps {
  readonly command: string;
  /** The command whose key does the same here. */
  readonly keysOf?: string;
  /** The accessible name, if it is not the title of the command. */
  readonly label?: string;
  /** Shown if the command has no key, or long ones. The tooltip has those. */
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
      {keys === undefined || keys.text.length > MAX_LENGTH ? icon : <Kbd framed keys={keys.text} />}
    </CommandButton>
  );
}
