import { useAtom, useAtomValue } from 'jotai';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import { texts, type Command } from '#commands/model/command.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { showKeys } from '#src/keymap/format.ts';
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

import { RebindField } from './RebindField.tsx';
import { sheetGroups, type SheetRow } from './sheet-rows.ts';

/** A searchable list of all key bindings, for running commands and rebinding their keys. */
export function CheatSheet() {
  const text = useText();
  const [open, setOpen] = useAtom(helpOpenAtom);
  const close = (): void => setOpen(false);
  // The dialog opens in its own effect, which runs before this one.
  useEffect(() => {
    if (open) onLayerShown();
  }, [open]);
  return (
    <Dialog open={open} onCancel={close} title={text('keys.title')} width={640}>
      {open && <Sheet onClose={close} />}
    </Dialog>
  );
}

/** Height in px of everything in the dialog but the list: title, field, hints and margins. */
const HEIGHT_AROUND_LIST = 232;

function Sheet({ onClose }: { readonly onClose: () => void }) {
  const say = useSay();
  const text = useText();
  const overrides = useAtomValue(overridesAtom);
  // The context of the screen underneath, as it was when the sheet opened.
  const context = useMemo(() => contextNow(), []);
  const [typed, setTyped] = useState('');
  const [rebinding, setRebinding] = useState<Command>();
  const list = useRef<HTMLDivElement>(null);
  // The search field is a new element after a rebind, so focus it again.
  useEffect(() => {
    if (!rebinding) list.current?.querySelector('input')?.focus();
  }, [rebinding]);
  const groups = useMemo(
    () =>
      sheetGroups(registry(), context, overrides, typed, {
        say,
        everywhere: text('keys.everywhere'),
        unbound: text('keys.unbound'),
        elsewhere: text('keys.elsewhere'),
      }),
    [context, overrides, typed, say, text],
  );
  const rows = useActiveRow(groups);

  const { active } = rows;
  const run = ({ command, reason }: SheetRow): void => {
    if (reason !== undefined) return;
    flushSync(onClose);
    void invoke({ id: command.id, args: {} });
  };
  const rebind = (): void => setRebinding(active?.command);
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key !== 'F2' || !active) return false;
    event.preventDefault();
    rebind();
    return true;
  };

  if (rebinding) return <RebindField command={rebinding} registry={registry()} onEnd={() => setRebinding(undefined)} />;
  return (
    <div ref={list} className="-mx-4 -mb-4">
      <PaletteField
        {...rows}
        label={text('keys.search')}
        listLabel={text('keys.list')}
        listHeight={Math.max(160, Math.floor(window.innerHeight * 0.8) - HEIGHT_AROUND_LIST)}
        placeholder={text('keys.search')}
        text={typed}
        onText={(next) => {
          setTyped(next);
          rows.setActive(undefined);
        }}
        groups={groups}
        onPick={run}
        onKey={onKey}
        status={active ? '' : text('keys.nothing')}
      />
      <About>{active ? say(texts.about(active.command)) : ''}</About>
      <Footer
        hints={[
          { keys: showKeys('Enter'), label: text('keys.run'), run: () => active && run(active) },
          { keys: showKeys('F2'), label: text('keys.rebind'), run: rebind },
          { keys: showKeys('Escape'), label: text('palette.hint.close'), run: onClose },
        ]}
      />
    </div>
  );
}
