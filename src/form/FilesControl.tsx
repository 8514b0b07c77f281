import { FileText } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';

import { fileContent } from '#commands/model/files.ts';
import { commandFailure } from '#src/data/failure.ts';
import { readFile } from '#src/data/read-file.ts';
import { useText } from '#src/i18n/i18n.ts';
import { isTyping } from '#src/keymap/target.ts';
import { Button } from '#src/ui/Button.tsx';
import { FileInput } from '#src/ui/fields/FileInput.tsx';

import type { ControlProps } from './control.ts';

const NONE: readonly string[] = [];

/**
 * Shows the chosen files, with previews of images. Files can also be pasted or dropped anywhere in the form, such as a
 * screenshot in the middle of typing.
 */
export function FilesControl({ param, value = NONE, onValue, context }: ControlProps<'files'>) {
  const t = useText();
  const container = useRef<HTMLDivElement>(null);
  const isEnabled = param.blockedReason?.(context) === undefined;
  const add = async (files: Iterable<File>): Promise<void> => {
    try {
      // The browser empties its list once the event is over.
      const added = await Promise.all(Array.from(files, (file) => readFile(file, param.maxBytes)));
      onValue([...value, ...added]);
    } catch (error) {
      onValue(value.length > 0 ? value : undefined, commandFailure(error));
    }
  };
  useReceivedFiles(isEnabled, (files) => void add(files));
  const remove = (index: number): void => {
    const rest = value.filter((_value, position) => position !== index);
    onValue(rest.length > 0 ? rest : undefined);
    // The focused button is gone.
    container.current?.querySelector<HTMLElement>('[data-control]')?.focus();
  };
  return (
    <div ref={container} className="grid gap-1.5">
      {value.length > 0 && (
        <ul aria-label={t('form.chosenFiles')} className="grid gap-1">
          {value.map((item, index) => (
            <ChosenFile key={index} value={item} onRemove={() => remove(index)} />
          ))}
        </ul>
      )}
      <div className="flex min-w-0 items-center gap-2">
        <FileInput
          accept={param.accept}
          multiple
          label={t(value.length > 0 ? 'form.addFiles' : 'form.chooseFiles')}
          onFile={(file, ...others) => void add([file, ...others])}
        />
        <span className="min-w-0 flex-1 text-ink-3">{t('form.dropFiles')}</span>
      </div>
    </div>
  );
}

function ChosenFile({ value, onRemove }: { readonly value: string; readonly onRemove: () => void }) {
  const t = useText();
  const { name = value, mediaType = '' } = fileContent(value) ?? {};
  return (
    <li className="flex min-w-0 items-center gap-2">
      <span className="flex size-7 shrink-0 items-center justify-center overflow-hidden rounded-field border border-line text-ink-3">
        {mediaType.startsWith('image/') ? (
          <img src={value} alt="" className="size-full object-contain" />
        ) : (
          <FileText size={14} aria-hidden />
        )}
      </span>
      <span className="min-w-0 flex-1 truncate text-ink-2">{name}</span>
      <Button tone="quiet" aria-label={t('form.removeNamedFile', { name })} onClick={onRemove}>
        {t('form.removeFile')}
      </Button>
    </li>
  );
}

/**
 * Calls a function with files that the user pastes or drops anywhere in the page. Takes precedence over the tab behind
 * the form. Leaves a paste into a text field alone if the clipboard also has text.
 */
function useReceivedFiles(isEnabled: boolean, receive: (files: FileList) => void): void {
  const receiveLatest = useEffectEvent(receive);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const take = (event: Event, files: FileList | undefined): void => {
      if (!files || files.length === 0) return;
      event.preventDefault();
      receiveLatest(files);
    };
    const paste = (event: ClipboardEvent): void => {
      const isTyped = isTyping(event.target) && event.clipboardData?.types.includes('text/plain');
      if (!isTyped) take(event, event.clipboardData?.files);
    };
    const drop = (event: DragEvent): void => take(event, event.dataTransfer?.files);
    // Without this, the browser opens the file in place of the console.
    const dragOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const options = { capture: true };
    document.addEventListener('paste', paste, options);
    document.addEventListener('drop', drop, options);
    document.addEventListener('dragover', dragOver, options);
    return () => {
      document.removeEventListener('paste', paste, options);
      document.removeEventListener('drop', drop, options);
      document.removeEventListener('dragover', dragOver, options);
    };
  }, [isEnabled]);
}
