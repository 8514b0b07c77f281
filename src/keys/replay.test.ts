// Loads what Tab needs beforehand, so no test waits for the disk.
import 'tabbable';
import { describe, expect, test, vi } from 'vitest';

import { expectScreen, holdKeys, onLayerShown, onScreenShown, waitForView } from '#src/state/key-queue.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

import { bind, bindings, press, handledKeys, run, setPage, setUpListening } from './testkit/listening.ts';

setUpListening();

describe('a key pressed while a screen is loading', () => {
  test("is replayed in order with the new screen's bindings", () => {
    expectScreen();
    press('j');
    press('x');
    expect(handledKeys()).toEqual([]);
    const newBinding = bind('x');
    bindings.unshift(newBinding);
    onScreenShown();
    vi.runAllTimers();
    bindings.shift();
    expect(handledKeys()).toEqual(['j', 'x,x']);
    press('j');
    expect(handledKeys()).toEqual(['j', 'x,x', 'j']);
  });

  test('is typed into the field the previous key focused', () => {
    const field = setPage('<input value="at ">') as HTMLInputElement;
    const onInput = vi.fn<() => void>();
    field.addEventListener('input', onInput);
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'j', 'x', 'q', 'Backspace', 'Enter']) press(key);
    expect(field.value).toBe('at ');
    onScreenShown();
    vi.runAllTimers();
    expect(field.value).toBe('at jx');
    expect(onInput).toHaveBeenCalledTimes(4);
    expect(handledKeys()).toEqual(['x']);
  });

  test("isn't overtaken by later typing", () => {
    const field = setPage('<input>') as HTMLInputElement;
    const onKey = vi.fn<(key: string) => void>();
    field.addEventListener('keydown', ({ key }) => onKey(key));
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'a', 'b']) press(key);
    onScreenShown();
    vi.advanceTimersToNextTimer();
    expect([document.activeElement, field.value]).toEqual([field, '']);
    for (const key of ['c', 'Enter']) expect(press(key, field)).toBe(true);
    // The browser handles copying.
    expect(press('c', field, { ctrlKey: true })).toBe(false);
    vi.runAllTimers();
    expect(field.value).toBe('abc');
    expect(onKey.mock.calls.flat()).toEqual(['c', 'a', 'b', 'c', 'Enter']);
    expect(press('d', field)).toBe(false);
  });

  test('is replayed before a later chord the console handles', () => {
    const field = setPage('<input value="health:OK ">') as HTMLInputElement;
    field.setSelectionRange(10, 10);
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'a', 'b']) press(key);
    onScreenShown();
    vi.advanceTimersToNextTimer();
    for (const key of ['Backspace', 'a']) expect(press(key, field, { ctrlKey: true })).toBe(true);
    press('z', field);
    // Text is typed immediately.
    vi.advanceTimersToNextTimer();
    expect(field.value).toBe('health:OK ');
    vi.runAllTimers();
    expect(field.value).toBe('z');
    expect(handledKeys()).toEqual(['x']);
  });

  test('submits the form of the field the previous key focused', () => {
    const field = setPage('<form><input></form>').querySelector('input') as HTMLInputElement;
    const onSubmit = vi.fn<(event: Event) => void>((event) => event.preventDefault());
    field.form?.addEventListener('submit', onSubmit);
    run.mockImplementationOnce(() => field.focus());
    expectScreen();
    for (const key of ['x', 'a', 'Enter']) press(key);
    onScreenShown();
    vi.runAllTimers();
    expect([field.value, onSubmit.mock.calls.length]).toEqual(['a', 1]);
  });

  test('presses the button the previous key focused only once', () => {
    const button = setPage('<button>Send</button>') as HTMLElement;
    const onClick = vi.fn<() => void>();
    button.addEventListener('click', onClick);
    run.mockImplementationOnce(() => button.focus());
    expectScreen();
    press('x');
    press('Enter');
    onScreenShown();
    vi.runAllTimers();
    expect(onClick).toHaveBeenCalledOnce();
    expect(handledKeys()).toEqual(['x']);
  });

  test('continues with Tab from the field the previous key focused and wraps', async () => {
    const form = setPage('<form><input value="a"><input value="b"></form>');
    const [first, second] = [...form.querySelectorAll('input')];
    run.mockImplementationOnce(() => first?.focus());
    expectScreen();
    for (const key of ['x', 'c', 'Tab', 'd', 'Tab', 'e']) press(key);
    press('Tab', document.body, { shiftKey: true });
    press('f');
    onScreenShown();
    vi.runAllTimers();
    // Each Tab loads the code that finds the tab stops.
    for (let tabs = 0; tabs < 3; tabs++) {
      await vi.dynamicImportSettled();
      vi.runAllTimers();
    }
    expect([first?.value, second?.value]).toEqual(['e', 'f']);
  });

  test.each([
    ['a dialog without a cancel listener', false],
    ['a dialog that cancels closing', true],
  ])('closes the dialog the previous key opened only if the dialog allows it: %s', (_, isVetoed) => {
    const dialog = setPage('<dialog><input></dialog>') as HTMLDialogElement;
    dialog.addEventListener('cancel', (event) => isVetoed && event.preventDefault());
    run.mockImplementationOnce(() => {
      dialog.open = true;
      dialog.querySelector('input')?.focus();
    });
    expectScreen();
    for (const key of ['x', 'Escape']) press(key);
    onScreenShown();
    vi.runAllTimers();
    expect(dialog.open).toBe(isVetoed);
  });

  test("isn't replayed if the screen appeared before the keypress", () => {
    const dialog = setPage('<dialog open><input></dialog>');
    expectScreen();
    onScreenShown();
    expect(press('Escape', dialog)).toBe(false);
  });

  test('waits at most two seconds, unless it is pressed in a field or is a browser key', () => {
    expectScreen();
    expect(press('x', setPage('<input>'))).toBe(false);
    expect(press('F5')).toBe(false);
    press('k', document.body, { ctrlKey: true });
    expect(handledKeys()).toEqual(['$mod+k']);
    press('j');
    vi.advanceTimersByTime(2100);
    expect(handledKeys()).toEqual(['$mod+k', 'j']);
  });
});

describe('while a change of the view is pending', () => {
  const startChange = () => {
    let resolve = (): void => undefined;
    const change = waitForView(new Promise<void>((onApplied) => (resolve = onApplied)));
    return async () => {
      resolve();
      await change;
      vi.runAllTimers();
    };
  };

  test('single keys, sequences, and chords wait, in order, but typing in a field does not', async () => {
    const apply = startChange();
    for (const key of ['j', 'g', 'd', 'x']) expect(press(key)).toBe(true);
    expect(press('a', setPage('<input>'))).toBe(false);
    press('k', document.body, { ctrlKey: true });
    expect(handledKeys()).toEqual([]);
    await apply();
    expect(handledKeys()).toEqual(['j', 'g d', 'x', '$mod+k']);
  });

  test('Escape waits its turn, and after a second cancels the waiting keys, or works at once if there are none', async () => {
    const applyFirst = startChange();
    press('Escape');
    expect(handledKeys()).toEqual([]);
    await applyFirst();
    expect(handledKeys()).toEqual(['Escape']);
    const applySecond = startChange();
    press('x');
    vi.advanceTimersByTime(1100);
    press('Escape');
    expect(handledKeys()).toEqual(['Escape']);
    await applySecond();
    expect(handledKeys()).toEqual(['Escape']);
    startChange();
    vi.advanceTimersByTime(1100);
    press('Escape');
    expect(handledKeys()).toEqual(['Escape', 'Escape']);
  });
});

/** Pastes text on an element. Returns true if it was handled. */
function paste(target: Element, text: string): boolean {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  return !target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

describe('pasted text', () => {
  test('keeps its place among the keys that wait for a field', () => {
    const field = setPage('<input readonly>') as HTMLInputElement;
    field.focus();
    const keys = holdKeys();
    press('a', field);
    expect(press('v', field, { ctrlKey: true })).toBe(false);
    expect(paste(field, 'one\r\ntwo')).toBe(true);
    press('b', field);
    const loadedField = setPage('<input value="at ">') as HTMLInputElement;
    const onInput = vi.fn<() => void>();
    loadedField.addEventListener('input', onInput);
    loadedField.focus();
    keys.release();
    vi.runAllTimers();
    expect(loadedField.value).toBe('at aone twob');
    expect(onInput).toHaveBeenCalledTimes(3);
    // Nothing waits any more, so the browser pastes.
    expect(paste(loadedField, 'three')).toBe(false);
  });

  test('waits for a layer that is loading, which may handle it itself', () => {
    store.set(paletteAtom, { open: true, start: undefined });
    expect(press('v', document.body, { ctrlKey: true })).toBe(false);
    expect(paste(document.body, 'one\ntwo')).toBe(true);
    const dialog = setPage('<dialog open><textarea></textarea></dialog>');
    const field = dialog.querySelector('textarea') as HTMLTextAreaElement;
    const pastedTexts: (string | undefined)[] = [];
    field.addEventListener('paste', (event) => pastedTexts.push(event.clipboardData?.getData('text/plain')));
    field.focus();
    onLayerShown();
    vi.runAllTimers();
    store.set(paletteAtom, { open: false });
    expect([field.value, pastedTexts]).toEqual(['one\ntwo', ['one\ntwo']]);
  });

  test('waits for a layer that opens once its command has loaded', () => {
    const keys = holdKeys();
    expect(paste(document.body, 'paused')).toBe(true);
    store.set(paletteAtom, { open: true, start: undefined });
    keys.release();
    vi.advanceTimersByTime(1000);
    const field = setPage('<dialog open><input></dialog>').querySelector('input') as HTMLInputElement;
    field.focus();
    onLayerShown();
    vi.runAllTimers();
    store.set(paletteAtom, { open: false });
    expect(field.value).toBe('paused');
  });

  test('is left to the browser while nothing is loading', () => {
    expect(paste(setPage('<input>'), 'one')).toBe(false);
    expect(paste(document.body, 'one')).toBe(false);
  });
});

describe('a key pressed after Back', () => {
  const back = (): boolean => press('ArrowLeft', document.body, { altKey: true });

  test('waits for the previous view', async () => {
    expect(back()).toBe(false);
    press('x');
    vi.advanceTimersByTime(500);
    expect(handledKeys()).toEqual([]);
    window.dispatchEvent(new PopStateEvent('popstate'));
    await vi.runAllTimersAsync();
    expect(handledKeys()).toEqual(['x']);
  });

  test.each([
    ['Back', 3],
    ['Forward', 4],
  ])("waits for the view that the mouse's %s button leads to", async (_name, button) => {
    document.body.dispatchEvent(new MouseEvent('mouseup', { button, bubbles: true, cancelable: true }));
    press('x');
    expect(handledKeys()).toEqual([]);
    window.dispatchEvent(new PopStateEvent('popstate'));
    await vi.runAllTimersAsync();
    expect(handledKeys()).toEqual(['x']);
  });

  test("doesn't wait after another button of the mouse", () => {
    document.body.dispatchEvent(new MouseEvent('mouseup', { button: 1, bubbles: true, cancelable: true }));
    press('x');
    expect(handledKeys()).toEqual(['x']);
  });

  test("runs if Back leads nowhere or is the console's own key", async () => {
    back();
    press('x');
    await vi.advanceTimersByTimeAsync(1100);
    expect(handledKeys()).toEqual(['x']);
    const own = bind('Alt+ArrowLeft');
    bindings.push(own);
    expect(back()).toBe(true);
    bindings.pop();
    press('j');
    expect(handledKeys()).toEqual(['x', 'Alt+ArrowLeft', 'j']);
  });

  test('runs on the previous view, and the keys before Back on the one they were meant for', async () => {
    const go = vi.spyOn(history, 'go').mockReturnValue();
    expectScreen();
    press('x');
    expect(back()).toBe(true);
    press('j');
    onScreenShown();
    await vi.advanceTimersByTimeAsync(100);
    expect([handledKeys(), go.mock.calls]).toEqual([['x'], [[-1]]]);
    window.dispatchEvent(new PopStateEvent('popstate'));
    await vi.runAllTimersAsync();
    expect(handledKeys()).toEqual(['x', 'j']);
    go.mockRestore();
  });
});
