import { Code, ConnectError } from '@connectrpc/connect';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { message } from '#commands/text/message.ts';
import { onChange } from '#src/data/changes.ts';
import { i18n, loadAllStrings } from '#src/i18n/i18n.ts';
import { reportUnreachable, reportReachable } from '#src/net/reach.ts';
import * as reports from '#src/net/report.ts';
import { beep, build, describe as describeGadget, runLog } from '#src/palette/testkit/registry.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { failedLoadsAtom } from '#src/state/failed-loads.ts';
import { focusAtom, visibleTargetsAtom } from '#src/state/focus.ts';
import type { FormStart } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { stashUnsaved, takeUnsaved } from '#src/state/unsaved.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { CommandButton } from './CommandButton.tsx';
import { copyLine } from './copy-line.ts';
import { LoadError } from './LoadError.tsx';
import { PartError } from './PartError.tsx';
import { showError } from './show-error.ts';
import { hasTarget, TargetName } from './TargetName.tsx';
import { useUnsaved } from './use-unsaved.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
});
beforeEach(() => showGadgets());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  for (const { id } of toasts.list()) toasts.close(id);
});

const show = (element: React.ReactNode): HTMLElement => render(<Provider store={store}>{element}</Provider>).container;

describe('the button of a command', () => {
  test('has its title and key, and runs it', async () => {
    show(<CommandButton command="gadget.beep" suffix={<i>after</i>} />);
    const button = screen.getByRole('button');
    expect(button.textContent).toMatch(/^Beep.*after/);
    expect(button.querySelector('kbd')).not.toBeNull();
    await userEvent.click(button);
    await vi.waitFor(() => expect(runLog.map(({ id }) => id)).toEqual(['gadget.beep']));
  });

  test('appears only once its text has loaded', () => {
    const strings = i18n.getResourceBundle('en', 'gadget') as object;
    i18n.removeResourceBundle('en', 'gadget');
    // While the strings load, a missing one is empty.
    const onMissingKey = vi.spyOn(i18n.options, 'parseMissingKeyHandler').mockReturnValue('');
    show(<CommandButton command="gadget.beep" />);
    expect(screen.queryByRole('button')).toBeNull();
    act(() => void i18n.addResourceBundle('en', 'gadget', strings));
    expect(screen.getByRole('button').textContent).toMatch(/^Beep/);
    onMissingKey.mockRestore();
  });

  test('accepts a different label, and can omit the key', () => {
    show(
      <CommandButton command="gadget.beep" showKeys={false}>
        Honk
      </CommandButton>,
    );
    const button = screen.getByRole('button');
    expect([button.textContent, button.querySelector('kbd')]).toEqual(['Honk', null]);
  });

  test('has no key if the command acts on a different entity than the screen', () => {
    store.set(visibleTargetsAtom, { table: { entity: 'widget', row: { id: '1', name: message('core:x') } } });
    show(<CommandButton command="gadget.mark" />);
    expect(screen.getByRole('button').querySelector('kbd')).toBeNull();
    act(() => showGadgets({ active: 'AAAA BBBB' }));
    expect(screen.getByRole('button').querySelector('kbd')?.textContent).toBe('m');
  });

  test('has its key on a screen without a table', () => {
    store.set(visibleTargetsAtom, {});
    show(<CommandButton command="gadget.beep" />);
    expect(screen.getByRole('button').querySelector('kbd')).not.toBeNull();
  });

  test("explains why the command can't run", () => {
    show(<CommandButton command="gadget.paint" />);
    expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true');
    show(<CommandButton command="gadget.beep" />);
    expect(screen.getByRole('button', { name: /Beep/ }).getAttribute('aria-disabled')).not.toBe('true');
  });

  test('is absent for an unknown command, or until the user has chosen an organization', () => {
    expect(show(<CommandButton command="gadget.fly" />).textContent).toBe('');
    act(() => store.set(userSessionAtom, undefined));
    expect(show(<CommandButton command="gadget.beep" />).textContent).toBe('');
  });
});

describe('the name of the target', () => {
  test('appears if there is a target', () => {
    expect(show(<TargetName />).textContent).toBe('');
    act(() => showGadgets({ active: 'AAAA BBBB', name: message('core:target.item', { name: 'North pump' }) }));
    expect(show(<TargetName className="x" />).textContent).toBe('→ North pump');
    expect(document.querySelector('.x [aria-hidden]')?.textContent).toBe('→ ');
  });

  test('is an ellipsis while the item loads', () => {
    act(() => store.set(visibleTargetsAtom, { panel: { entity: 'gadget', id: 'AAAA BBBB' } }));
    expect(show(<TargetName />).textContent).toBe('→ …');
  });

  test('exists for a selection and for an active row', () => {
    const base = { entity: 'gadget' } as const;
    expect([hasTarget(undefined), hasTarget(base)]).toEqual([false, false]);
    expect([hasTarget({ ...base, active: '1' }), hasTarget({ ...base, target: { query: '' } })]).toEqual([true, true]);
    expect(store.get(focusAtom)?.active).toBeUndefined();
  });
});

describe('a failed load', () => {
  test('shows what failed and why, and retries on refresh and when the server is reachable again', async () => {
    const retry = vi.fn<() => void>();
    const error = new ConnectError('Too many filters.', Code.InvalidArgument);
    show(
      <LoadError title="Gadgets could not be loaded" error={error} retry={retry} actions={<button>Other</button>} />,
    );
    await vi.waitFor(() => expect(screen.getByText('Gadgets could not be loaded')).toBeTruthy());
    expect(screen.getByText('Too many filters.')).toBeTruthy();
    expect(screen.getByText('Other')).toBeTruthy();
    const [reload] = store.get(failedLoadsAtom);
    reload?.();
    expect(retry).toHaveBeenCalledTimes(1);
    act(() => {
      reportUnreachable();
      reportReachable();
    });
    expect(retry).toHaveBeenCalledTimes(2);
  });

  test('retries only what is still on screen', () => {
    const retries = [vi.fn<() => void>(), vi.fn<() => void>()];
    const { unmount } = render(
      <Provider store={store}>
        <LoadError title="First" error={new Error('x')} retry={retries[0]!} />
      </Provider>,
    );
    render(
      <Provider store={store}>
        <PartError error={new Error('x')} retry={retries[1]!} />
      </Provider>,
    );
    expect(store.get(failedLoadsAtom)).toHaveLength(2);
    unmount();
    for (const reload of store.get(failedLoadsAtom)) reload();
    expect(retries.map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
    cleanup();
    expect(store.get(failedLoadsAtom)).toEqual([]);
  });

  test('shows a general title if part of the console fails to load', async () => {
    show(<PartError error={new Error('x')} retry={() => undefined} />);
    await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain("couldn't be"));
  });
});

describe('an error', () => {
  test('shows an error toast that offers to try again if possible', async () => {
    const retry = vi.fn<() => void>();
    showError(new ConnectError('There is no such gadget.', Code.NotFound), retry);
    await vi.waitFor(() => expect(toasts.list()).toHaveLength(1));
    expect(toasts.list()[0]).toMatchObject({ title: 'There is no such gadget.', tone: 'error' });
    toasts.list()[0]?.action?.run();
    expect(retry).toHaveBeenCalledTimes(1);
  });

  test('reports the error and refreshes the permissions if one is missing', async () => {
    const report = vi.spyOn(reports, 'report');
    const changedEntities: string[] = [];
    const stop = onChange(({ entity }) => changedEntities.push(entity));
    const rejection = new ConnectError('You may not do this.', Code.PermissionDenied);
    showError(rejection);
    expect(report).toHaveBeenCalledWith(rejection);
    await vi.waitFor(() => expect(changedEntities).toContain('me'));
    stop();
    report.mockRestore();
  });

  test('uses a neutral toast for a canceled run', async () => {
    showError(new DOMException('aborted', 'AbortError'));
    await vi.waitFor(() => expect(toasts.list()).toHaveLength(1));
    expect(toasts.list()[0]?.tone).toBe('neutral');
    expect(toasts.list()[0]).not.toHaveProperty('action');
  });
});

test('copies a line and reports success or the reason for a failure', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  copyLine('gadget beep');
  await vi.waitFor(() => expect(toasts.list()[0]?.detail).toBe('gadget beep'));
  expect(writeText).toHaveBeenCalledWith('gadget beep');
  writeText.mockRejectedValue(new DOMException('blocked', 'NotAllowedError'));
  copyLine('gadget beep');
  await vi.waitFor(() => expect(toasts.list()[0]?.tone).toBe('error'));
});

describe('the input of a form', () => {
  function Form(start: FormStart) {
    useUnsaved(start.id === 'gadget.build' ? build : start.id === 'gadget.beep' ? beep : describeGadget, start);
    return null;
  }
  /** Returns what remains of a form's input after the session has ended. */
  const remainingInput = (): FormStart | undefined => {
    const session = store.get(userSessionAtom)!;
    stashUnsaved(session, { isSwitching: false });
    return takeUnsaved(session);
  };

  test("survives the end of a session, including text that isn't valid yet", () => {
    const { rerender, unmount } = render(<Form id="gadget.build" args={{ name: 'Pump' }} />);
    expect(remainingInput()).toEqual({ id: 'gadget.build', args: { name: 'Pump' } });
    rerender(<Form id="gadget.build" args={{ name: 'Pumps' }} typed={{ events: 'x' }} />);
    expect(remainingInput()).toEqual({ id: 'gadget.build', args: { name: 'Pumps' }, typed: { events: 'x' } });
    rerender(<Form id="gadget.build" args={{}} typed={{ events: 'y' }} />);
    expect(remainingInput()).toEqual({ id: 'gadget.build', args: {}, typed: { events: 'y' } });
    const args = { name: 'Pump' };
    for (const start of [
      { id: 'gadget.build', args },
      { id: 'gadget.build', args: { name: 'Well' } },
      { id: 'gadget.build', args, typed: { events: 'y' } },
      { id: 'gadget.build', args, typed: { events: 'z' } },
      { id: 'gadget.build', args },
      { id: 'gadget.beep', args },
    ]) {
      rerender(<Form {...start} />);
      expect(remainingInput()).toStrictEqual(start);
    }
    unmount();
    expect(remainingInput()).toBeUndefined();
  });

  test('survives a later form that has no input', () => {
    render(<Form id="gadget.build" args={{ name: 'Pump' }} />);
    render(<Form id="gadget.build" args={{}} />);
    expect(remainingInput()).toEqual({ id: 'gadget.build', args: { name: 'Pump' } });
  });

  test('survives a switch to another organization, unless the form is running', () => {
    function Build({ isRunning }: { readonly isRunning?: boolean }) {
      useUnsaved(build, { id: 'gadget.build', args: { name: 'Pump' } }, isRunning);
      return null;
    }
    const stashOnSwitch = (): boolean => stashUnsaved(store.get(userSessionAtom)!, { isSwitching: true });
    const { rerender } = render(<Build />);
    expect(stashOnSwitch()).toBe(true);
    rerender(<Build isRunning />);
    expect(stashOnSwitch()).toBe(false);
    takeUnsaved(store.get(userSessionAtom)!);
  });

  test("isn't kept for a command that only opens something", () => {
    function Open() {
      useUnsaved({ ...build, effect: 'navigate' }, { id: 'gadget.build', args: { name: 'Pump' } });
      return null;
    }
    render(<Open />);
    expect(remainingInput()).toBeUndefined();
  });

  test("isn't kept if nothing was entered", () => {
    for (const start of [
      { args: {} },
      { args: { name: undefined as never } },
      { args: { name: undefined as never }, typed: {} },
    ]) {
      const { unmount } = render(<Form id="gadget.build" {...start} />);
      expect(remainingInput()).toBeUndefined();
      unmount();
    }
    render(<Form id="gadget.describe" args={{ gadgets: { ids: ['AAAA BBBB'] } }} />);
    expect(remainingInput()).toBeUndefined();
  });
});
