import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react';

import { useText } from '#src/i18n/i18n.ts';

import { createEditor, type Editor, type Marks } from './editor.ts';

export interface DefinitionHandle {
  goTo(line: number): void;
  focus(): void;
  hasFocus(): boolean;
}

interface DefinitionPaneProps {
  readonly ref: Ref<DefinitionHandle>;
  readonly initialText: string;
  /** The caret's initial position in the text. */
  readonly initialCaret: number | undefined;
  readonly readOnly: boolean;
  readonly marks: Marks;
  readonly onChange: (text: string, caret: number) => void;
  readonly onLineChange: (line: number) => void;
}

/** The definition as text. Shows an error below its line and marks the lines of the active field. */
export function DefinitionPane(props: DefinitionPaneProps) {
  const { ref, initialText, initialCaret, readOnly, marks, onChange, onLineChange } = props;
  const t = useText('parser');
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const label = t('labels.definition');
  const emitChange = useEffectEvent(onChange);
  const emitLineChange = useEffectEvent(onLineChange);
  const create = useEffectEvent((element: HTMLElement) =>
    createEditor({
      parent: element,
      text: initialText,
      caret: initialCaret ?? 0,
      label,
      readOnly,
      onChange: (text, caret) => emitChange(text, caret),
      onLineChange: (line) => emitLineChange(line),
    }),
  );
  useEffect(() => {
    if (!parent.current) return undefined;
    const created = create(parent.current);
    editor.current = created;
    return () => {
      created.destroy();
      editor.current = undefined;
    };
  }, []);
  useImperativeHandle(
    ref,
    () => ({
      goTo: (line) => editor.current?.goTo(line),
      focus: () => editor.current?.focus(),
      hasFocus: () => editor.current?.hasFocus() ?? false,
    }),
    [],
  );
  useEffect(() => {
    editor.current?.mark(marks);
    if (marks.active && !editor.current?.hasFocus()) editor.current?.reveal(marks.active.lines.from);
  }, [marks]);
  return <div ref={parent} className="bench-editor min-h-0 flex-1 overflow-hidden" />;
}
