import { message } from '#commands/text/message.ts';

import { report } from '#src/net/report.ts';
import { translate, withTexts } from '#src/i18n/i18n.ts';
import { toasts } from '#src/state/toasts.ts';

/**
 * Puts a text on the clipboard that may still have to be looked up. A browser takes it only shortly after a key or a
 * click, so it is promised to the clipboard at once; a browser that refuses nevertheless gets a second key: a toast
 * offers the text.
 * @returns whether it is on the clipboard; false when the toast waits. @throws whatever keeps the text from being made.
 */
export async function writeClipboard(text: Promise<string>): Promise<boolean> {
  try {
    await begin(text);
    return true;
  } catch (error) {
    const ready = await text;
    if (!isRefusal(error)) throw error;
    offer(ready);
    return false;
  }
}

function begin(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return text.then((ready) => navigator.clipboard.writeText(ready));
  const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }));
  // A browser that refuses at once never looks at it.
  blob.catch(() => undefined);
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

function isRefusal(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotAllowedError';
}

function offer(text: string): void {
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => toasts.push({ title: translate(message('console:clipboard.copied')) }),
      (error: unknown) => {
        report(error);
        toasts.push({ title: translate(message('console:clipboard.refused')), tone: 'error' });
      },
    );
  };
  withTexts(() =>
    toasts.push({
      title: translate(message('console:clipboard.ready')),
      detail: translate(message('console:clipboard.hint')),
      action: { label: translate(message('console:clipboard.copy')), run: copy },
      duration: Infinity,
    }),
  );
}
