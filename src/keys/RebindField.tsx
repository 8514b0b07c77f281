import { useAtom } from 'jotai';
import { useRef, useState, type KeyboardEvent } from 'react';

import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { shortList } from '#commands/text/message.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { keysOf, overridesAtom } from '#src/keymap/bindings.ts';
import { addKeys, findConflicts, isReserved, removeKeys, unbindKeys } from '#src/keymap/conflicts.ts';
import { formatKeys, toKeyHint } from '#src/keymap/format.ts';
import { MAX_PRESSES } from '#src/keymap/press.ts';
import { Footer } from '#src/search/Footer.tsx';
import { Button } from '#src/ui/Button.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';

import { toKeystroke } from './capture.ts';

/** The maximum number of conflicting commands to name in a sentence. The others are only counted. */
const MAX_NAMES = 3;

/** Whether the recorded keys replace the command's keys, or are added to them. */
type Save = 'add' | 'replace';

interface RebindFieldProps {
  readonly command: Command;
  readonly registry: Registry;
  /** Called when done, whether saved or not. */
  readonly onEnd: () => void;
}

/**
 * Records the keys that the user presses for a command, to replace its keys or to add to them, and removes keys. If
 * other commands use them, saving asks for confirmation before it takes the keys from those commands.
 */
export function RebindField({ command, registry, onEnd }: RebindFieldProps) {
  const translate = useTranslate();
  const t = useText('help');
  const [overrides, setOverrides] = useAtom(overridesAtom);
  const [presses, setPresses] = useState<readonly string[]>([]);
  const [takeover, setTakeover] = useState<Save>();
  const [isTooLong, setIsTooLong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const label = (name: string): string => t(`keys.${name}`);
  const keys = presses.join(' ');
  /** The keys to save: the recorded ones, or the default ones if none were recorded. */
  const nextKeys = keys === '' ? (command.keys ?? []) : [keys];
  const conflicts = [...new Set(nextKeys.flatMap((item) => findConflicts(command, item, registry, overrides)))];
  const isReservedKey = keys !== '' && isReserved(keys);
  const title = translate(commandLabels.title(command));
  const currentKeys = keysOf(command, overrides);

  const record = (next: readonly string[]): void => {
    setTakeover(undefined);
    setIsTooLong(next.length > MAX_PRESSES);
    setPresses(next.slice(0, MAX_PRESSES));
  };
  const save = (mode: Save): void => {
    if (isReservedKey || (mode === 'add' && keys === '')) return;
    if (conflicts.length > 0 && !takeover) return setTakeover(mode);
    const freed = nextKeys.reduce((current, item) => unbindKeys(item, conflicts, current), overrides);
    const { [command.id]: _replaced, ...others } = freed;
    if ((takeover ?? mode) === 'add') setOverrides(addKeys(command, keys, freed));
    else setOverrides(keys === '' ? others : { ...others, [command.id]: nextKeys });
    onEnd();
  };
  const remove = (sequence: string): void => {
    setOverrides(removeKeys(command, sequence, overrides));
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return onEnd();
    if (event.key === 'Enter') return save(event.shiftKey ? 'add' : 'replace');
    if (event.key === 'Backspace') return record(presses.slice(0, -1));
    const press = toKeystroke(event);
    if (press !== undefined && !event.repeat) record([...presses, press]);
    return undefined;
  };

  const problem = (): string | undefined => {
    const conflictTitles = conflicts.map((conflict) => commandLabels.title(conflict));
    const titles = shortList(conflictTitles, MAX_NAMES);
    const values = { keys: nextKeys.map((item) => formatKeys(item)).join(', '), title };
    if (isReservedKey) return t('keys.reserved', values);
    // Without recorded keys, the default keys matter only once the user wants them back.
    if (titles && (keys !== '' || takeover)) return t(takeover ? 'keys.takeOver' : 'keys.clash', { ...values, titles });
    return isTooLong ? t('keys.longest', { count: MAX_PRESSES }) : undefined;
  };

  return (
    <div className="-mx-4 -mb-4">
      <div className="grid gap-4 px-4 pb-4">
        <p className="-mt-1 text-ink-2">{translate(commandLabels.about(command))}</p>
        <div className="grid grid-cols-[96px_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
          <span className="text-label text-ink-3">{label('now')}</span>
          <span className="flex min-h-7 flex-wrap items-center gap-1.5">
            {currentKeys.length === 0 && <span className="text-ink-3">{label('none')}</span>}
            {currentKeys.map((sequence) => (
              <Button
                key={sequence}
                tone="quiet"
                aria-label={t('keys.removeKeys', { keys: formatKeys(sequence) })}
                onClick={() => remove(sequence)}
              >
                <Kbd framed keys={formatKeys(sequence)} /> <span aria-hidden>×</span>
              </Button>
            ))}
          </span>
          <span className="text-label text-ink-3">{label('recorded')}</span>
          <TextInput
            mono
            ref={field}
            autoFocus
            readOnly
            aria-label={label('press')}
            placeholder={label('press')}
            value={keys === '' ? '' : formatKeys(keys)}
            onText={() => undefined}
            onKeyDown={onKeyDown}
          />
        </div>
        <p role="alert" className="min-h-9 text-error-text">
          {problem()}
        </p>
      </div>
      <Footer
        hints={[
          { keys: toKeyHint('Enter'), label: label(keys === '' ? 'default' : 'save'), run: () => save('replace') },
          ...(keys === '' || currentKeys.length === 0
            ? []
            : [{ keys: toKeyHint('Shift+Enter'), label: label('add'), run: () => save('add') }]),
          { keys: toKeyHint('Backspace'), label: label('remove'), run: () => record(presses.slice(0, -1)) },
          { keys: toKeyHint('Escape'), label: label('cancel'), run: onEnd },
        ]}
      />
    </div>
  );
}
