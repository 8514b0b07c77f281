import { useAtom } from 'jotai';
import { useState, type KeyboardEvent } from 'react';

import { texts, type Command } from '#commands/model/command.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { findConflicts, isReserved } from '#src/keymap/conflicts.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { TextInput } from '#src/ui/fields/TextInput.tsx';

import { pressOf } from './capture.ts';

interface RebindFieldProps {
  readonly command: Command;
  readonly registry: Registry;
  /** Called when done, whether saved or not. */
  readonly onEnd: () => void;
}

/** Records new keys for a command as they are pressed, and reports conflicts before the keys can be saved. */
export function RebindField({ command, registry, onEnd }: RebindFieldProps) {
  const say = useSay();
  const text = useText();
  const [overrides, setOverrides] = useAtom(overridesAtom);
  const [presses, setPresses] = useState<readonly string[]>([]);
  const keys = presses.join(' ');
  const conflicts = keys === '' ? [] : findConflicts(command, keys, registry, overrides);
  const reserved = keys !== '' && isReserved(keys);
  const title = say(texts.title(command));

  /** Saving without keys restores the declared ones. */
  const save = (): void => {
    if (reserved || conflicts.length > 0) return;
    const { [command.id]: _removed, ...others } = overrides;
    setOverrides(keys === '' ? others : { ...others, [command.id]: [keys] });
    onEnd();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return onEnd();
    if (event.key === 'Enter') return save();
    if (event.key === 'Backspace') return setPresses(presses.slice(0, -1));
    const press = pressOf(event);
    if (press !== undefined && !event.repeat) setPresses([...presses, press]);
    return undefined;
  };

  return (
    <div className="grid gap-2 p-4">
      <p id="rebind-hint">{text('keys.waiting', { title })}</p>
      <TextInput
        mono
        autoFocus
        readOnly
        aria-label={text('keys.press')}
        aria-describedby="rebind-hint"
        value={keys === '' ? '' : formatKeys(keys)}
        onText={() => undefined}
        onKeyDown={onKeyDown}
      />
      <p role="alert" className="min-h-5 text-error-text">
        {reserved
          ? text('keys.reserved', { keys: formatKeys(keys) })
          : conflicts.length > 0 &&
            text('keys.clash', {
              keys: formatKeys(keys),
              titles: conflicts.map((conflict) => say(texts.title(conflict))).join(', '),
            })}
      </p>
    </div>
  );
}
