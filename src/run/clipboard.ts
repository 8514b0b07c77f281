import { message } from '#commands/text/message.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';
import { toasts } from '#src/state/toasts.ts';

/**
 * Copies text that may still be loading. Browsers allow this only shortly after a keypress or a click, so the clipboard
 * gets a promise right away. If the browser blocks it anyway, a toast offers to copy the text once it has loaded.
 *
 * @returns true if the text was copied, or false if the toast offers it
 * @throws the error that `text` rejects with
 */
export async function writeClipboard(text: Promise<string>): Promise<boolean> {
  try {
    await startWriting(text);
    return true;
  } catch (error) {
    const resolvedText = await text;
    if (!isBlocked(error)) throw error;
    offerCopy(resolvedText);
    return false;
  }
}

function startWriting(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined')
    return text.then((resolvedText) => navigator.clipboard.writeText(resolvedText));
  const blob = text.then((resolved) => new Blob([resolved], { type: 'text/plain' }));
  // A browser that blocks copying right away never handles the promise.
  blob.catch(() => undefined);
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

function isBlocked(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotAllowedError';
}

function offerCopy(text: string): void {
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => toasts.push({ title: translate(message('console:clipboard.copied')) }),
      (error: unknown) => {
        report(error);
        toasts.push({ title: translate(message('console:clipboard.blocked')), tone: 'error' });
      },
    );
  };
  withStrings(() =>
    toasts.push({
      title: translate(message('console:clipboard.ready')),
      detail: translate(message('console:clipboard.hint')),
      action: { label: translate(message('console:clipboard.copy')), run: copy },
      duration: Infinity,
    }),
  );
}
