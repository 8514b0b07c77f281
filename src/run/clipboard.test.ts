import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { toasts } from '#src/state/toasts.ts';

import { writeClipboard } from './clipboard.ts';

const blocked = () => new DOMException('Clipboard write was blocked due to lack of user activation', 'NotAllowedError');
/** A clipboard item that exposes its parts. */
class Item {
  readonly parts: Readonly<Record<string, Promise<Blob>>>;
  constructor(parts: Readonly<Record<string, Promise<Blob>>>) {
    this.parts = parts;
  }
}
const write = vi.fn<(items: readonly Item[]) => Promise<void>>();
const writeText = vi.fn<(text: string) => Promise<void>>();

beforeEach(() => {
  write.mockReset();
  writeText.mockReset().mockResolvedValue();
  vi.stubGlobal('ClipboardItem', Item);
  vi.stubGlobal('navigator', { clipboard: { write, writeText } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const { id } of toasts.list()) toasts.close(id);
});

test('requests the clipboard before the text is ready', async () => {
  let resolveText = (_text: string): void => undefined;
  const text = new Promise<string>((resolve) => (resolveText = resolve));
  write.mockImplementation(async () => void (await text));
  const result = writeClipboard(text);
  expect(write).toHaveBeenCalledOnce();
  resolveText('831C 16AA');
  expect(await result).toBe(true);
  const blob = await write.mock.calls[0]?.[0][0]?.parts['text/plain'];
  expect([blob?.type, blob?.size]).toEqual(['text/plain', '831C 16AA'.length]);
});

test('copies text in a browser without clipboard items', async () => {
  vi.stubGlobal('ClipboardItem', undefined);
  expect(await writeClipboard(Promise.resolve('831C 16AA'))).toBe(true);
  expect(writeText).toHaveBeenCalledWith('831C 16AA');
});

test('offers to copy again if the browser blocks copying', async () => {
  write.mockRejectedValue(blocked());
  expect(await writeClipboard(Promise.resolve('831C 16AA'))).toBe(false);
  await vi.waitFor(() => expect(toasts.list()[0]?.title).toBe('Ready to copy'));
  toasts.list()[0]?.action?.run();
  expect(writeText).toHaveBeenCalledWith('831C 16AA');
});

test('rejects if the text fails to load', async () => {
  write.mockRejectedValue(blocked());
  await expect(writeClipboard(Promise.reject(new Error('not found')))).rejects.toThrow('not found');
  expect(toasts.list()).toEqual([]);
});

test.each([new DOMException('The document is not focused.', 'DataError'), new Error('out of memory')])(
  'rejects if copying fails for any other reason: %s',
  async (failure) => {
    write.mockRejectedValue(failure);
    await expect(writeClipboard(Promise.resolve('831C 16AA'))).rejects.toBe(failure);
    expect(toasts.list()).toEqual([]);
  },
);

test('reports whether the offered text was copied', async () => {
  write.mockRejectedValue(blocked());
  await writeClipboard(Promise.resolve('831C 16AA'));
  await vi.waitFor(() => expect(toasts.list()).toHaveLength(1));
  const [offer] = toasts.list();
  offer?.action?.run();
  await vi.waitFor(() => expect(toasts.list().map(({ title }) => title)).toContain('Copied'));
  writeText.mockRejectedValue(blocked());
  offer?.action?.run();
  await vi.waitFor(() => expect(toasts.list().map(({ tone }) => tone)).toContain('error'));
});
