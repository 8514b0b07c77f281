import { useAtom, useAtomValue } from 'jotai';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import { texts, type Command } from '#commands/model/command.ts';
import { registry } from '#commands/nouns/all.ts';

import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/runner.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { Footer } from '#src/search/Footer.tsx';
import { PaletteField } from '#src/search/PaletteField.tsx';
import { useActiveRow } from '#src/search/use-active-row.ts';
import { arriveAtLayer } from '#src/state/arrival.ts';
import { helpOpenAtom } from '#src/state/layers.ts';
import { About } from '#src/ui/About.tsx';
import { Dialog } from '#src/ui/overlays/Dialog.tsx';
import { overridesAtom } from '#src/keymap/bindings.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { RebindField } from './RebindField.tsx';
import { sheetGroups, type SheetRow } from './sheet-rows.ts';

/** What every key does here and now: searchable, runnable, and the place where keys are changed. */
export function CheatSheet() {
  const text = useText();
  const [open, setOpen] = useAtom(helpOpenAtom);
  const close = (): void => setOpen(false);
  // After the dialog has shown itself.
  useEffect(() => {
    if (open) arriveAtLayer();
  }, [open]);
  return (
    <Dialog open={open} onCancel={close} title={text('keys.title')} width={640}>
      {open && <Sheet onClose={close} />}
    </Dialog>
  );
}

/** px of the dialog that are not the list: its title, the field, the hints, and room to breathe. */
const AROUND_LIST = 232;

function Sheet({ onClose }: { readonly onClose: () => void }) {
  const say = useSay();
  const text = useText();
  const overrides = useAtomValue(overridesAtom);
  // As it was when the sheet was opened: of the screen below it.
  const context = useMemo(() => contextNow(), []);
  const [typed, setTyped] = useState('');
  const [changing, setChanging] = useState<Command>();
  const list = useRef<HTMLDivElement>(null);
  // Back from changing keys the field is a new one.
  useEffect(() => {
    if (!changing) list.current?.querySelector('input')?.focus();
  }, [changing]);
  const groups = useMemo(
    () =>
      sheetGroups(registry, context, overrides, typed, {
        say,
        everywhere: text('keys.everywhere'),
        unbound: text('keys.unbound'),
        elsewhere: text('keys.elsewhere'),
      }),
    [context, overrides, typed, say, text],
  );
  const rows = useActiveRow(groups);

  const { active } = rows;
  const take = ({ command, reason }: SheetRow): void => {
    if (reason !== undefined) return;
    flushSync(onClose);
    void invoke({ id: command.id, args: {} });
  };
  const rebind = (): void => setChanging(active?.command);
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key !== 'F2' || !active) return false;
    event.preventDefault();
    rebind();
    return true;
  };

  if (changing) return <RebindField command={changing} registry={registry} onEnd={() => setChanging(undefined)} />;
  return (
    <div ref={list} className="-mx-4 -mb-4">
      <PaletteField
        {...rows}
        label={text('keys.search')}
        listLabel={text('keys.list')}
        listHeight={Math.max(160, Math.floor(window.innerHeight * 0.8) - AROUND_LIST)}
        placeholder={text('keys.search')}
        text={typed}
        onText={(next) => {
          setTyped(next);
          rows.setActive(undefined);
        }}
        groups={groups}
        onTake={take}
        onKey={onKey}
        status={active ? '' : text('keys.nothing')}
      />
      <About>{active ? say(texts.about(active.command)) : ''}</About>
      <Footer
        hints={[
          { keys: formatKeys('Enter'), label: text('keys.run'), run: () => active && take(active) },
          { keys: 'F2', label: text('keys.rebind'), run: rebind },
          { keys: formatKeys('Escape'), label: text('palette.hint.close'), run: onClose },
        ]}
      />
    </div>
  );
}
