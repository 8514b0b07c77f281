import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { toasts } from '#src/state/toasts.ts';

import { writeClipboard } from './clipboard.ts';

const refusal = () => new DOMException('Clipboard write was blocked due to lack of user activation', 'NotAllowedError');
const write = vi.fn<(items: readonly unknown[]) => Promise<void>>();
const writeText = vi.fn<(text: string) => Promise<void>>();

beforeEach(() => {
  write.mockReset();
  writeText.mockReset().mockResolvedValue();
  vi.stubGlobal('ClipboardItem', vi.fn<() => void>());
  vi.stubGlobal('navigator', { clipboard: { write, writeText } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const { id } of toasts.list()) toasts.close(id);
});

it('requests the clipboard before the text is ready', async () => {
  let ready = (_text: string): void => undefined;
  const text = new Promise<string>((resolve) => (ready = resolve));
  write.mockImplementation(async () => void (await text));
  const result = writeClipboard(text);
  expect(write).toHaveBeenCalledOnce();
  ready('831C 16AA');
  expect(await result).toBe(true);
});

it('offers to copy again if the browser refuses', async () => {
  write.mockRejectedValue(refusal());
  expect(await writeClipboard(Promise.resolve('831C 16AA'))).toBe(false);
  await vi.waitFor(() => expect(toasts.list()[0]?.title).toBe('Ready to copy'));
  toasts.list()[0]?.action?.run();
  expect(writeText).toHaveBeenCalledWith('831C 16AA');
});

it('rejects if the text fails to load', async () => {
  write.mockRejectedValue(refusal());
  await expect(writeClipboard(Promise.reject(new Error('not found')))).rejects.toThrow('not found');
  expect(toasts.list()).toEqual([]);
});
