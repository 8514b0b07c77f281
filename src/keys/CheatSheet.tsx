import { useAtom, useAtomValue } from 'jotai';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import { commandLabels } from '#commands/model/command.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/invoke.ts';
import { Footer } from '#src/search/Footer.tsx';
import { PaletteField } from '#src/search/PaletteField.tsx';
import { useActiveRow } from '#src/search/use-active-row.ts';
import { onLayerShown } from '#src/state/key-queue.ts';
import { helpOpenAtom } from '#src/state/layers.ts';
import { About } from '#src/ui/About.tsx';
import { Dialog } from '#src/ui/overlays/Dialog.tsx';

import { CommandDetails } from './CommandDetails.tsx';
import { RebindField } from './RebindField.tsx';
import { sheetGroups, type SheetRow } from './sheet-rows.ts';

/** A command shown on its own, in place of the list. */
type CommandView = { readonly row: SheetRow; readonly as: 'details' | 'rebind' };

/** A searchable list of all commands and their keys, to run them, to read about them, and to change their keys. */
export function CheatSheet() {
  const translate = useTranslate();
  const t = useText('help');
  const [open, setOpen] = useAtom(helpOpenAtom);
  const [shown, setShown] = useState<CommandView>();
  const close = (): void => {
    setOpen(false);
    setShown(undefined);
  };
  const title = shown ? translate(commandLabels.title(shown.row.command)) : t('sheet.title');
  // The dialog opens in its own effect, which runs before this effect.
  useEffect(() => {
    if (open) onLayerShown();
  }, [open]);
  return (
    <Dialog open={open} onCancel={close} title={title} width={640}>
      {open && <Sheet shown={shown} setShown={setShown} onClose={close} />}
    </Dialog>
  );
}

/** The height in px of everything in the dialog except the list: title, field, hints, and margins. */
const HEIGHT_AROUND_LIST = 232;

interface SheetProps {
  readonly shown: CommandView | undefined;
  readonly setShown: (shown: CommandView | undefined) => void;
  readonly onClose: () => void;
}

function Sheet({ shown, setShown, onClose }: SheetProps) {
  const translate = useTranslate();
  const t = useText('help');
  const overrides = useAtomValue(overridesAtom);
  // The context of the screen underneath, as it was when the sheet opened.
  const context = useMemo(() => contextNow(), []);
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLDivElement>(null);
  // After a command was shown, the search field is a new element, so focus it again.
  useEffect(() => {
    if (!shown) list.current?.querySelector('input')?.focus();
  }, [shown]);
  const groups = useMemo(
    () =>
      sheetGroups(registry(), context, overrides, typed, {
        translate,
        everywhere: t('sheet.everywhere'),
        unbound: t('sheet.unbound'),
        elsewhere: t('sheet.elsewhere'),
      }),
    [context, overrides, typed, translate, t],
  );
  const rows = useActiveRow(groups);

  const { active } = rows;
  const run = ({ command, reason }: SheetRow): void => {
    if (reason !== undefined) return;
    flushSync(onClose);
    void invoke({ id: command.id, args: {} });
  };
  const show = (as: CommandView['as']): void => setShown(active && { row: active, as });
  const onKey = (event: KeyboardEvent): boolean => {
    const as = { F2: 'rebind', Tab: 'details' } as const;
    if (!(event.key in as) || event.shiftKey || !active) return false;
    event.preventDefault();
    show(as[event.key as keyof typeof as]);
    return true;
  };

  if (shown?.as === 'rebind') {
    return <RebindField command={shown.row.command} registry={registry()} onEnd={() => setShown(undefined)} />;
  }
  if (shown) {
    return (
      <CommandDetails
        command={shown.row.command}
        registry={registry()}
        reason={shown.row.reason}
        onRun={() => run(shown.row)}
        onRebind={() => setShown({ ...shown, as: 'rebind' })}
        onBack={() => setShown(undefined)}
      />
    );
  }
  const label = t('sheet.search');
  return (
    <div ref={list} className="-mx-4 -mb-4">
      <PaletteField
        {...rows}
        label={label}
        listLabel={t('sheet.list')}
        listHeight={Math.max(160, Math.floor(window.innerHeight * 0.8) - HEIGHT_AROUND_LIST)}
        placeholder={label}
        text={typed}
        onText={(next) => {
          setTyped(next);
          rows.setActive(undefined);
        }}
        groups={groups}
        onPick={run}
        onKey={onKey}
        status={active ? '' : t('sheet.nothing')}
      />
      <About>{active ? translate(commandLabels.about(active.command)) : ''}</About>
      <Footer
        hints={[
          { keys: toKeyHint('Enter'), label: t('sheet.run'), run: () => active && run(active) },
          { keys: toKeyHint('Tab'), label: t('sheet.details'), run: () => show('details') },
          { keys: toKeyHint('F2'), label: t('sheet.change'), run: () => show('rebind') },
          { keys: toKeyHint('Escape'), label: t('sheet.close'), run: onClose },
        ]}
      />
    </div>
  );
}
