import { useRef, type ClipboardEvent, type DragEvent } from 'react';

import { fileContent } from '#commands/model/files.ts';
import { commandFailure } from '#src/data/failure.ts';
import { readFile } from '#src/data/read-file.ts';
import { useText } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { FileInput } from '#src/ui/fields/FileInput.tsx';
import { useDropGuard } from '#src/ui/use-drop-guard.ts';

import type { ControlProps } from './control.ts';

/**
 * Shows the chosen file, with a preview of an image. A file can also be pasted or dropped. The browser reads the file,
 * and the command sends its content.
 */
export function FileControl({ param, value, onValue }: ControlProps<'file'>) {
  const t = useText();
  const container = useRef<HTMLDivElement>(null);
  const content = value === undefined ? undefined : fileContent(value);
  const choose = async (file: File): Promise<void> => {
    try {
      onValue(await readFile(file, param.maxBytes));
    } catch (error) {
      onValue(undefined, commandFailure(error));
    }
  };
  const set = (newValue: string | undefined): void => {
    onValue(newValue);
    // The focused button is gone.
    container.current?.querySelector<HTMLElement>('[data-control]')?.focus();
  };
  useDropGuard();
  const receive = (event: ClipboardEvent | DragEvent, { files }: DataTransfer): void => {
    const [file] = files;
    if (!file) return;
    event.preventDefault();
    void choose(file);
  };
  return (
    <div
      ref={container}
      className="flex min-w-0 items-center gap-2"
      onPaste={(event) => receive(event, event.clipboardData)}
      onDrop={(event) => receive(event, event.dataTransfer)}
      // Without this, the browser opens the file in place of the console.
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
    >
      {content?.mediaType.startsWith('image/') && (
        <img src={value} alt="" className="size-7 shrink-0 rounded-field border border-line object-contain" />
      )}
      <FileInput accept={param.accept} label={t('form.chooseFile')} onFile={(file) => void choose(file)} />
      <span className="min-w-0 flex-1 truncate text-ink-2">
        {content ? content.name : t(value === '' ? 'form.fileRemoved' : 'form.noFile')}
      </span>
      {value !== undefined && (
        <Button tone="quiet" onClick={() => set(undefined)}>
          {t(param.clears ? 'form.keep' : 'form.removeFile')}
        </Button>
      )}
      {param.clears && value !== '' && (
        <Button tone="quiet" onClick={() => set('')}>
          {t('form.removeFile')}
        </Button>
      )}
    </div>
  );
}
