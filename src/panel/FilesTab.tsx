import { useAtom } from 'jotai';
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState, type KeyboardEvent } from 'react';

import type { DetailTab, FileRows } from '#commands/model/entity.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { readFile } from '#src/data/read-file.ts';
import { useText } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { CommandLink } from '#src/run/CommandLink.tsx';
import { contextNow } from '#src/run/context.ts';
import { EmptyActions } from '#src/run/EmptyActions.tsx';
import { invoke } from '#src/run/invoke.ts';
import { showError } from '#src/run/show-error.ts';
import { useCommandContext } from '#src/run/use-context.ts';
import { tabToFocusAtom } from '#src/state/focus.ts';
import { cx } from '#src/ui/cx.ts';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { tip } from '#src/ui/tip.ts';
import { useDropGuard } from '#src/ui/use-drop-guard.ts';

import { Cell } from './Cell.tsx';
import { Thumbnail } from './Thumbnail.tsx';

interface FilesTabProps {
  readonly organization: string;
  readonly title: string;
  readonly tab: DetailTab<unknown>;
  readonly item: unknown;
}

/** The files of an item, with previews. Files that are dropped on it or pasted are attached. */
export function FilesTab({ organization, title, tab, item }: FilesTabProps) {
  const t = useText();
  const list = useRef<HTMLUListElement>(null);
  const [isOver, setIsOver] = useState(false);
  const files = tab.files;
  const rows = files?.rows(item) ?? [];
  const add = tab.add?.(item, contextNow());
  const addCommand = add && directory().command(add.id);
  const context = useCommandContext();
  const canAdd = addCommand !== undefined && context !== undefined && availability(addCommand, context).ok;
  const hint = canAdd ? t('panel.dropFiles') : undefined;
  const [enteredTab, setEnteredTab] = useAtom(tabToFocusAtom);
  const isEntering = enteredTab === tab.id;
  useEffect(() => {
    if (!isEntering) return;
    setEnteredTab(undefined);
    list.current?.querySelector<HTMLElement>('button')?.focus();
  }, [isEntering, setEnteredTab]);
  useEffect(() => {
    if (!add || !files) return undefined;
    const paste = (event: Event): void => {
      const { clipboardData, target } = event as unknown as ClipboardEvent<HTMLElement>;
      // An open form has taken it.
      if (event.defaultPrevented) return;
      if ((target as HTMLElement).closest?.('input, textarea, [contenteditable]')) return;
      if (clipboardData.files.length === 0) return;
      event.preventDefault();
      void attach(add, files, clipboardData.files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  });
  useDropGuard();
  if (!files) return null;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    if (add) void attach(add, files, event.dataTransfer.files);
  };
  const dragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    // Without this, the browser opens the file in place of the console.
    event.preventDefault();
    setIsOver(true);
  };
  const button = add && <CommandButton command={add.id} args={add.args} />;
  return (
    <div
      className={cx('min-h-full', isOver && 'outline-2 -outline-offset-2 outline-accent outline-dashed')}
      onDragOver={dragOver}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {rows.length === 0 ? (
        <StateMessage title={t('panel.empty', { title })} actions={add && <EmptyActions actions={[add]} />}>
          {hint}
        </StateMessage>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2 px-4 pt-2.5">
            {button}
            {hint && <span className="text-label text-ink-3">{hint}</span>}
          </div>
          <ul ref={list} aria-label={title} onKeyDown={moveFocus} className="py-1">
            {rows.map((row) => (
              <FileRow key={tab.key(row)} organization={organization} tab={tab} files={files} item={item} row={row} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Attaches files one after the other, as the command would. */
async function attach(
  { id, args }: Invocation,
  { param, maxBytes }: FileRows<unknown>,
  files: Iterable<File>,
): Promise<void> {
  // The browser empties its list once the event is over.
  const pickedFiles = Array.from(files);
  for (const file of pickedFiles) {
    try {
      const value = await readFile(file, maxBytes);
      await invoke({ id, args: { ...args, [param]: value } });
    } catch (error) {
      showError(error);
    }
  }
}

/** The vertical arrow keys move between files, to the same button. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (document.activeElement as HTMLElement | null)?.closest('li');
  if (step === undefined || !row) return;
  event.preventDefault();
  event.stopPropagation();
  const column = [...row.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
  const neighbor = step === 1 ? row.nextElementSibling : row.previousElementSibling;
  neighbor?.querySelectorAll('button')[column]?.focus();
}

interface FileRowProps {
  readonly organization: string;
  readonly tab: DetailTab<unknown>;
  readonly files: FileRows<unknown>;
  readonly item: unknown;
  readonly row: unknown;
}

function FileRow({ organization, tab, files, item, row }: FileRowProps) {
  const [name, ...details] = tab.columns;
  const title = textOf(name?.value(row as never));
  const actions = files.actions(row, item);
  const [open] = actions;
  const context = useCommandContext();
  const isStaff = context?.actor.abilities.has('MANAGE_FILES') ?? false;
  return (
    <li className="flex items-start gap-3 px-4 py-2">
      <Thumbnail organization={organization} link={files.image(row)} />
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="truncate" {...tip(title)}>
          {open ? (
            <CommandLink invocation={open} className="max-w-full truncate">
              {title}
            </CommandLink>
          ) : (
            title
          )}
        </span>
        <span className="flex min-w-0 gap-2 text-label whitespace-nowrap text-ink-3">
          {details.map((column) => (
            <span key={column.id} className={cx(column.kind === 'text' ? 'truncate' : 'shrink-0')}>
              {column.kind === 'text' ? (
                textOf(column.value(row as never))
              ) : (
                <Cell kind={column.kind} value={column.value(row as never)} time={column.time?.(row as never)} />
              )}
            </span>
          ))}
        </span>
        <span className="-ml-[11px] flex flex-wrap">
          {actions.map(({ id, args }) => (
            <CommandButton key={id} command={id} args={args} showKeys={false} tone="quiet" />
          ))}
          {isStaff &&
            files
              .staffActions(row, item)
              .map(({ id, args }) => <CommandButton key={id} command={id} args={args} showKeys={false} tone="quiet" />)}
        </span>
      </div>
    </li>
  );
}

/** Names and media types are text in every language. */
const textOf = (value: ReturnType<DetailTab<unknown>['columns'][number]['value']>): string =>
  typeof value === 'string' ? value : '';
