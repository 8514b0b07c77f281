import { useAtom, useSetAtom } from 'jotai';
import { useCallback, useLayoutEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import { changesView, type Command } from '#commands/model/command.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { useText } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { copyLine } from '#src/run/copy-line.ts';
import { createIntent } from '#src/run/draft.ts';
import { executeConfirmed, start as startInvocation } from '#src/run/runner.ts';
import { recordUse } from '#src/search/habits.ts';
import { onLayerShown, holdKeys, MAX_VIEW_WAIT_MS } from '#src/state/key-queue.ts';
import { formAtom, paletteAtom, type FormStart, type PaletteState } from '#src/state/layers.ts';
import { OverlayContainer } from '#src/ui/overlay-container.ts';
import { showModal } from '#src/ui/overlays/show-modal.ts';

import { ArgumentPrompt } from './arguments/ArgumentPrompt.tsx';
import { ScriptView } from './ScriptView.tsx';
import { SearchView } from './SearchView.tsx';
import { useIdleIndex } from './use-idle-index.ts';

const FIELD = ':is(input, textarea)';

/**
 * The palette, a dialog over the whole page. The dialog stays mounted, but its content is mounted only while it is
 * open.
 */
export function Palette() {
  const t = useText('running');
  const [state, setState] = useAtom(paletteAtom);
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  const [session, setSession] = useState({ state, count: 0 });
  if (session.state !== state) setSession({ state, count: session.count + 1 });
  const close = useCallback(() => setState({ open: false }), [setState]);
  useIdleIndex();

  useLayoutEffect(() => {
    if (!state.open || !dialog) return undefined;
    const previousFocus = document.activeElement;
    showModal(dialog, dialog.querySelector('input'));
    onLayerShown();
    return () => {
      dialog.close();
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
    };
  }, [state.open, dialog]);

  return (
    <dialog
      ref={setDialog}
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => {
        // The screen's keys do not apply in the palette.
        event.stopPropagation();
        // The palette is already open. Keep the browser from opening its own search.
        if (isPaletteKey(event)) event.preventDefault();
        // Only Escape closes a modal (spec 9) because a stray click must not lose input.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
      onClick={() => {
        const focus = document.activeElement;
        if (!dialog?.open || (focus !== dialog && dialog.contains(focus))) return;
        // A click next to the field or outside the palette must not take focus from the field, unless the user selected
        // text to copy it.
        if (getSelection()?.isCollapsed !== false) dialog.querySelector<HTMLElement>(FIELD)?.focus();
      }}
      className="mx-auto mt-[14vh] w-[680px] max-w-[calc(100vw-32px)] animate-appear overflow-hidden rounded-overlay bg-surface-1 text-body text-ink-1 shadow-overlay"
    >
      {state.open && (
        <OverlayContainer value={dialog}>
          <Session key={session.count} {...state} dialog={dialog} onClose={close} />
        </OverlayContainer>
      )}
    </dialog>
  );
}

function isPaletteKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === 'k';
}

/**
 * Runs the command that closed the palette. While it navigates, holds keystrokes for its destination instead of
 * applying them to the previous target.
 */
function runHoldingKeys(command: Command, task: () => Promise<unknown>): void {
  const keys = changesView(command) ? holdKeys({ limitMs: MAX_VIEW_WAIT_MS }) : undefined;
  void task().finally(() => keys?.release());
}

type View =
  | { readonly kind: 'search'; readonly text: string; readonly onlyApplicable: boolean }
  | {
      readonly kind: 'prompt';
      readonly invocation: Invocation;
      readonly preparedRun?: PreparedRun;
      /**
       * True if Enter was pressed on a complete line. The line runs when its plan is ready, unless it needs
       * confirmation.
       */
      readonly isSubmitted?: true;
    }
  | { readonly kind: 'script'; readonly text: string };

type OpenState = Omit<PaletteState & { open: true }, 'open'>;

function createView({ start, preparedRun }: OpenState): View {
  if (start && 'invocation' in start) return { kind: 'prompt', invocation: start.invocation, preparedRun };
  return {
    kind: 'search',
    text: start && 'prefix' in start ? start.prefix : '',
    onlyApplicable: start !== undefined && 'actions' in start,
  };
}

interface SessionProps extends OpenState {
  readonly dialog: HTMLDialogElement | null;
  readonly onClose: () => void;
}

/** The palette's content. Keeps the organization and the selection that the palette was opened with. */
function Session({ dialog, onClose, ...openState }: SessionProps) {
  const setForm = useSetAtom(formAtom);
  const context = useMemo(() => contextNow(), []);
  const [view, setView] = useState<View>(() => createView(openState));

  // Opening focuses the field, as does switching between search and command, which have different fields.
  const field = view.kind;
  useLayoutEffect(() => {
    if (dialog?.open) dialog.querySelector<HTMLElement>(`[data-view="${field}"] ${FIELD}`)?.focus();
  }, [dialog, field]);

  // Return focus before running anything because a command may move it.
  const closeNow = useCallback(() => flushSync(onClose), [onClose]);

  const run = useCallback(
    (preparedRun: PreparedRun) => {
      closeNow();
      recordUse(context, 'command', preparedRun.command.id);
      runHoldingKeys(preparedRun.command, () => executeConfirmed(preparedRun));
    },
    [closeNow, context],
  );

  const openForm = (form: FormStart): void => {
    closeNow();
    setForm(form);
  };

  const prompt = (invocation: Invocation, isSubmitted?: true): void =>
    setView({ kind: 'prompt', invocation, ...(isSubmitted ? { isSubmitted } : {}) });

  /** Runs a line that the user submitted. Shows it while running, so its problems are visible. */
  const submitLine = (invocation: Invocation): void => {
    const command = registry().command(invocation.id);
    if (!command) return undefined;
    const { surface, args } = createIntent(command, invocation.args, context);
    if (surface === 'form') return openForm({ id: command.id, args });
    return prompt({ id: command.id, args }, surface === 'none' ? true : undefined);
  };

  /** Runs a complete command, or shows its plan for confirmation. Opens a form if a single line isn't enough. */
  const start = (invocation: Invocation): void => {
    const command = registry().command(invocation.id);
    if (!command) return undefined;
    const { surface, args } = createIntent(command, invocation.args, context);
    if (surface === 'form') return openForm({ id: command.id, args });
    if (surface === 'palette') return prompt(invocation);
    closeNow();
    recordUse(context, 'command', command.id);
    return runHoldingKeys(command, () => startInvocation({ id: command.id, args }));
  };

  const promptedCommand = view.kind === 'prompt' ? registry().command(view.invocation.id) : undefined;
  return (
    <div data-view={field}>
      {view.kind === 'prompt' && promptedCommand ? (
        <ArgumentPrompt
          registry={registry()}
          context={context}
          command={promptedCommand}
          args={view.invocation.args}
          preparedRun={view.preparedRun}
          isSubmitted={view.isSubmitted ?? false}
          onRun={run}
          onForm={openForm}
          onCopy={copyLine}
          onClose={onClose}
          onBack={() => setView({ kind: 'search', text: '', onlyApplicable: false })}
        />
      ) : view.kind === 'script' ? (
        <ScriptView
          registry={registry()}
          context={context}
          initial={view.text}
          onClose={closeNow}
          onBack={() => setView({ kind: 'search', text: '', onlyApplicable: false })}
        />
      ) : (
        <SearchView
          registry={registry()}
          context={context}
          initial={view.kind === 'search' ? view.text : ''}
          onlyApplicable={view.kind === 'search' && view.onlyApplicable}
          onInvocation={start}
          onLine={submitLine}
          onPrompt={prompt}
          onRun={run}
          onForm={openForm}
          onScript={(text) => setView({ kind: 'script', text })}
          onClose={onClose}
        />
      )}
    </div>
  );
}
