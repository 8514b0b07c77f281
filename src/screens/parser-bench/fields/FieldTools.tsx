import { ArrowDown, ArrowUp, CopyPlus, Trash2 } from 'lucide-react';

import { useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { IconButton } from '#src/ui/IconButton.tsx';

/** What the buttons do, by the command whose keys they have. */
export const TOOLS = [
  { id: 'up', command: 'parser-bench.move-field-up', icon: ArrowUp },
  { id: 'down', command: 'parser-bench.move-field-down', icon: ArrowDown },
  { id: 'duplicate', command: 'parser-bench.duplicate-field', icon: CopyPlus },
  { id: 'remove', command: 'parser-bench.remove-field', icon: Trash2 },
] as const;

export type FieldActions = Readonly<Record<(typeof TOOLS)[number]['id'], () => void>>;

/** The buttons that move, duplicate, and remove the current field. */
export function FieldTools({ isDisabled, ...actions }: FieldActions & { readonly isDisabled: boolean }) {
  const t = useText('parser');
  const keyHints = useKeyHints();
  return TOOLS.map(({ id, command, icon: Icon }) => (
    <IconButton
      key={id}
      label={t(`builder.${id}`)}
      keys={keyHints(directory().command(command))}
      icon={<Icon size={14} aria-hidden />}
      disabled={isDisabled}
      onClick={actions[id]}
    />
  ));
}
