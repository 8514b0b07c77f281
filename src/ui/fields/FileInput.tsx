import { useRef } from 'react';

import { Button } from '#src/ui/Button.tsx';

import { useFieldWiring } from './field-context.ts';

interface FileInputProps {
  /** The media types that can be chosen. */
  readonly accept: readonly string[];
  /** Receives the chosen files; only one, unless `multiple`. */
  readonly onFile: (file: File, ...others: readonly File[]) => void;
  readonly multiple?: boolean;
  /** The button's text, for example "Choose a file". */
  readonly label: string;
}

/** Opens the browser's file picker. Only the button is visible and focusable. The field's label names it. */
export function FileInput({ accept, onFile, multiple = false, label }: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  // A button can't be required. The field's label says so.
  const { 'aria-required': _required, ...wiring } = useFieldWiring();
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept.join(',')}
        onChange={(event) => {
          const [file, ...others] = event.target.files ?? [];
          if (file) onFile(file, ...others);
          // Choosing the same file again must trigger another change event.
          event.target.value = '';
        }}
      />
      <Button {...wiring} data-control onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
