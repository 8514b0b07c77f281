import { useAtom, useSetAtom } from 'jotai';
import { useCallback, useLayoutEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import type { Command } from '#commands/model/command.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Prepared } from '#commands/run/run.ts';

import { contextNow } from '#src/run/context.ts';
import { execute, invoke } from '#src/run/runner.ts';
import { useText } from '#src/i18n/i18n.ts';
import { arriveAtLayer, holdKeys } from '#src/state/arrival.ts';
import { formAtom, paletteAtom, type FormStart, type PaletteState } from '#src/state/layers.ts';
import { OverlayContainer } from '#src/ui/overlay-container.ts';
import { copyLine } from '#src/run/copy-line.ts';
import { intentOf } from '#src/run/draft.ts';
import { ArgumentPrompt } from './arguments/ArgumentPrompt.tsx';
import { learn } from '#src/search/habits.ts';
import { ScriptView } from './ScriptView.tsx';
import { SearchView } from './SearchView.tsx';

const FIELD = ':is(input, textarea)';

/** The palette: one frame over everything. The dialog stays in the page; what is in it lives while it is open. */
export function Palette() {
  const text = useText();
  const [state, setState] = useAtom(paletteAtom);
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  const [session, setSession] = useState({ state, count: 0 });
  if (session.state !== state) setSession({ state, count: session.count + 1 });
  const close = useCallback(() => setState({ open: false }), [setState]);

  useLayoutEffect(() => {
    if (!state.open || !dialog) return undefined;
    const before = document.activeElement;
    dialog.showModal();
    dialog.querySelector('input')?.focus();
    arriveAtLayer();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [state.open, dialog]);

  return (
    <dialog
      ref={setDialog}
      aria-label={text('palette.title')}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => {
        // The keys of the screen below mean nothing here.
        event.stopPropagation();
        // It is open already; the browser is not to search the web by it instead.
        if (isPaletteKey(event)) event.preventDefault();
        // Spec 9: nothing else leaves a modal, so a slip of the hand loses nothing that was typed.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
      onClick={() => {
        const focus = document.activeElement;
        if (!dialog?.open || (focus !== dialog && dialog.contains(focus))) return;
        // A click beside the field, or beside the palette, must not cost what is typed next. Text that was marked stays
        // so, to be copied.
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
 * Runs what the palette was closed for. What is pressed after it is for where it leads, not for what was the target
 * until then.
 */
function leadOn({ effect }: Command, task: () => Promise<unknown>): void {
  const keys = effect === 'navigate' ? holdKeys() : undefined;
  void task().finally(() => keys?.release());
}

type View =
  | { readonly kind: 'search'; readonly text: string; readonly fitting: boolean }
  | {
      readonly kind: 'prompt';
      readonly invocation: Invocation;
      readonly prepared?: Prepared;
      /** A whole line that was asked to run: it does once its plan is there, if that needs no look. */
      readonly submitted?: true;
    }
  | { readonly kind: 'script'; readonly text: string };

type Opened = Omit<PaletteState & { open: true }, 'open'>;

function viewOf({ start, prepared }: Opened): View {
  if (start && 'invocation' in start) return { kind: 'prompt', invocation: start.invocation, prepared };
  return {
    kind: 'search',
    text: start && 'prefix' in start ? start.prefix : '',
    fitting: start !== undefined && 'actions' in start,
  };
}

interface SessionProps extends Opened {
  readonly dialog: HTMLDialogElement | null;
  readonly onClose: () => void;
}

/** From opening the palette to closing it: in the organization and with the selection of that moment. */
function Session({ dialog, onClose, ...opened }: SessionProps) {
  const setForm = useSetAtom(formAtom);
  const context = useMemo(() => contextNow(), []);
  const [view, setView] = useState<View>(() => viewOf(opened));

  // Opening focuses the field; so does going from the search to a command and back, which is another field.
  const field = view.kind;
  useLayoutEffect(() => {
    if (dialog?.open) dialog.querySelector<HTMLElement>(`[data-view="${field}"] ${FIELD}`)?.focus();
  }, [dialog, field]);

  // Focus is back where it came from before anything runs: what runs may move it.
  const closeFirst = useCallback(() => flushSync(onClose), [onClose]);

  const run = useCallback(
    (ready: Prepared) => {
      closeFirst();
      learn(context, 'command', ready.command.id);
      leadOn(ready.command, () => execute(ready));
    },
    [closeFirst, context],
  );

  const openForm = (form: FormStart): void => {
    closeFirst();
    setForm(form);
  };

  const prompt = (invocation: Invocation, submitted?: true): void =>
    setView({ kind: 'prompt', invocation, ...(submitted ? { submitted } : {}) });

  /** A line keeps its place until it has run: what is wrong with it is said where it stands. */
  const submitLine = (invocation: Invocation): void => {
    const of = registry.command(invocation.id);
    if (!of) return undefined;
    const { surface, args } = intentOf(of, invocation.args, context);
    if (surface === 'form') return openForm({ id: of.id, args });
    return prompt({ id: of.id, args }, surface === 'none' ? true : undefined);
  };

  /** What lacks nothing runs (or shows its plan, if it needs a look); what is no matter of one line is a form. */
  const begin = (invocation: Invocation): void => {
    const of = registry.command(invocation.id);
    if (!of) return undefined;
    const { surface, args } = intentOf(of, invocation.args, context);
    if (surface === 'form') return openForm({ id: of.id, args });
    if (surface === 'palette') return prompt(invocation);
    closeFirst();
    learn(context, 'command', of.id);
    return leadOn(of, () => invoke({ id: of.id, args }));
  };

  const command = view.kind === 'prompt' ? registry.command(view.invocation.id) : undefined;
  return (
    <div data-view={field}>
      {view.kind === 'prompt' && command ? (
        <ArgumentPrompt
          registry={registry}
          context={context}
          command={command}
          args={view.invocation.args}
          prepared={view.prepared}
          submitted={view.submitted ?? false}
          onRun={run}
          onForm={openForm}
          onCopy={copyLine}
          onClose={onClose}
          onBack={() => setView({ kind: 'search', text: '', fitting: false })}
        />
      ) : view.kind === 'script' ? (
        <ScriptView
          registry={registry}
          context={context}
          initial={view.text}
          onClose={closeFirst}
          onBack={() => setView({ kind: 'search', text: '', fitting: false })}
        />
      ) : (
        <SearchView
          registry={registry}
          context={context}
          initial={view.kind === 'search' ? view.text : ''}
          fitting={view.kind === 'search' && view.fitting}
          onInvocation={begin}
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
