import { StickyNote } from 'lucide-react';
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react';

import { formatSimple } from '#commands/nouns/data/parser/simple-fields.ts';
import type { SimpleModemMessageBodyParser as SimpleParser } from '#proto/gen/hiber/parser_pb.ts';
import { useText } from '#src/i18n/i18n.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { isText } from '#src/keymap/target.ts';
import { Button } from '#src/ui/Button.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { IconButton } from '#src/ui/IconButton.tsx';

import { isKeyFor } from '../use-bench-keys.ts';
import { CELL } from './controls.tsx';
import { type FieldActions, FieldTools, TOOLS } from './FieldTools.tsx';
import {
  addType,
  fieldAt,
  insertField,
  keyOfPart,
  moveField,
  newField,
  positionOf,
  removeField,
  removeType,
  sectionsOf,
  typeAt,
  type Position,
} from './model.ts';
import { Defaults, TypeSection, type FormProps } from './TypeSection.tsx';
import { restoreOf, useUndo } from './use-undo.ts';

export interface FieldsHandle {
  focus(): void;
  hasFocus(): boolean;
  /** Focuses the first field with a problem. */
  goToProblem(): void;
  /** Moves the current field up or down. */
  move(direction: 1 | -1): void;
  duplicate(): void;
  remove(): void;
}

interface FieldsPaneProps extends FormProps {
  readonly ref: Ref<FieldsHandle>;
  /** The saved parser. Absent for a new one, which needs a name. */
  readonly saved: SimpleParser | undefined;
  readonly onPart: (key: string) => void;
}

/** The key of the parser itself. */
const OUTERMOST = keyOfPart({ types: [] });

/** Where focus goes after the next change. */
interface Target {
  readonly key: string;
  readonly column: string;
}

/** The form for a simple parser: its fields in order, and its custom types below. */
export function FieldsPane(props: FieldsPaneProps) {
  const { ref, parser, saved, readOnly, problems, active, onPart } = props;
  const { change: onParser, undo, redo } = useUndo(parser, props.onParser);
  const t = useText('parser');
  const pane = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<Position>({ types: [], field: 0 });
  const [notedKey, setNotedKey] = useState<string>();
  const target = useRef<Target>(undefined);

  const focusPart = ({ key, column }: Target): boolean => {
    const part = pane.current?.querySelector(`[data-part="${key}"]`);
    const control = part?.querySelector<HTMLElement>(`[data-column="${column}"]`) ?? part?.querySelector('input');
    control?.focus();
    part?.scrollIntoView({ block: 'nearest' });
    return control !== null && control !== undefined;
  };
  useEffect(() => {
    if (target.current && focusPart(target.current)) target.current = undefined;
  });
  useEffect(() => {
    if (active === undefined || pane.current?.contains(document.activeElement)) return;
    pane.current?.querySelector(`[data-part="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const currentKey = keyOfPart(current);
  const hasProblem = problems.some((problem) => keyOfPart(problem) === currentKey);
  useEffect(() => {
    // Its problem is below it.
    if (hasProblem && pane.current?.contains(document.activeElement))
      pane.current.querySelector(`[data-part="${currentKey}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [hasProblem, currentKey]);
  /** Changes the parser, and then focuses a field. */
  const change = (next: SimpleParser, position: Position, column = 'name'): void => {
    if (readOnly) return;
    target.current = { key: keyOfPart(position), column };
    setCurrent(position);
    onParser(next);
  };
  const after = { ...current, field: current.field + 1 };
  const currentField = fieldAt(parser, current);
  const add = (): void => change(insertField(parser, after, newField()), after);
  const duplicate = (): void => {
    if (currentField) change(insertField(parser, after, { ...currentField, name: '' }), after);
  };
  const move = (step: 1 | -1): void => {
    const next = moveField(parser, current, step);
    if (next !== parser) change(next, { ...current, field: current.field + step });
  };
  const remove = (): void => {
    if (!currentField) return;
    const count = typeAt(parser, current.types)?.fields.length ?? 0;
    const field = Math.max(0, Math.min(current.field, count - 2));
    change(removeField(parser, current), { ...current, field });
  };
  useImperativeHandle(ref, () => ({
    focus: () =>
      void (focusPart({ key: keyOfPart(current), column: 'name' }) || pane.current?.querySelector('input')?.focus()),
    hasFocus: () => pane.current?.contains(document.activeElement) ?? false,
    goToProblem: () => {
      const [problem] = problems;
      if (!problem) return;
      const key = keyOfPart(problem);
      const invalid = pane.current?.querySelector<HTMLElement>(`[data-part="${key}"] [aria-invalid=true]`);
      focusPart({ key, column: invalid?.dataset['column'] ?? 'name' });
    },
    move,
    duplicate,
    remove,
  }));
  const addCustomType = (): void => {
    const names = new Set(parser.customTypes.map(({ name }) => name));
    const number = [...Array(names.size + 2).keys()].find((index) => index > 0 && !names.has(`type_${index}`)) ?? 1;
    change(addType(parser, `type_${number}`), { types: [parser.customTypes.length], field: 0 });
  };

  const tools: FieldActions = { up: () => move(-1), down: () => move(1), duplicate, remove };

  /** Focuses the same column of the field above or below. */
  const step = (event: KeyboardEvent, direction: 1 | -1): void => {
    const parts = [...(pane.current?.querySelectorAll<HTMLElement>('[data-part]') ?? [])];
    const element = event.target as HTMLElement;
    const next = parts[parts.indexOf(element.closest<HTMLElement>('[data-part]')!) + direction];
    if (!next) return;
    event.preventDefault();
    focusPart({ key: next.dataset['part'] ?? '', column: element.dataset['column'] ?? 'name' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const input = event.target instanceof HTMLInputElement ? event.target : undefined;
    const column = (event.target as HTMLElement).dataset['column'] ?? 'name';
    const part = (event.target as HTMLElement).closest<HTMLElement>('[data-part]')?.dataset['part'];
    if (part === undefined) return;
    // In the head of a type, the current field is somewhere else.
    const isField = positionOf(part) !== undefined;
    const tool =
      !isField || isText(event.nativeEvent) ? undefined : TOOLS.find(({ command }) => isKeyFor(command, event));
    if (tool) {
      event.preventDefault();
      event.stopPropagation();
      tools[tool.id]();
      return;
    }
    const restore = readOnly ? undefined : restoreOf(event, { undo, redo });
    if (restore) {
      event.preventDefault();
      const restored = restore();
      const count = restored && typeAt(restored, current.types)?.fields.length;
      // The field may be gone.
      if (count) target.current = { key: keyOfPart({ ...current, field: Math.min(current.field, count - 1) }), column };
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (arrow && input) step(event, arrow);
    else if (event.key === 'Enter' && input && !isField) step(event, 1);
    else if (event.key === 'Enter' && input) {
      event.preventDefault();
      add();
    } else if (event.key === 'Backspace' && isField && input?.dataset['column'] === 'name' && input.value === '') {
      event.preventDefault();
      remove();
    }
  };

  const savedTexts = new Set(saved ? formatSimple(saved) : []);
  return (
    <div
      ref={pane}
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const key = event.target.closest<HTMLElement>('[data-part]')?.dataset['part'];
        const position = key === undefined ? undefined : positionOf(key);
        if (key === undefined || !position) return;
        setCurrent(position);
        onPart(key);
      }}
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div data-part={OUTERMOST} className="border-b border-line px-3 py-1.5">
          <Defaults
            parser={parser}
            readOnly={readOnly}
            name={
              saved ? undefined : (
                <TextInput
                  aria-label={t('builder.parserName')}
                  placeholder={t('builder.parserName')}
                  value={parser.name}
                  onText={(name) => onParser({ ...parser, name })}
                  className={CELL}
                />
              )
            }
            problem={problems.find((problem) => keyOfPart(problem) === OUTERMOST)}
            onParser={onParser}
          />
        </div>
        {sectionsOf(parser).map((section) => (
          <TypeSection
            key={section.types.join('.')}
            {...props}
            onParser={onParser}
            section={section}
            currentKey={currentKey}
            notedKey={notedKey}
            savedTexts={saved ? savedTexts : undefined}
            onRemove={() => change(removeType(parser, section.types), { types: [], field: 0 })}
            onAdd={() => {
              const position = { types: section.types, field: 0 };
              change(insertField(parser, position, newField()), position);
            }}
          />
        ))}
      </div>
      {!readOnly && (
        <div
          role="toolbar"
          aria-label={t('labels.fields')}
          className="flex shrink-0 items-center gap-1 border-t border-line px-2 py-1"
        >
          <Button tone="quiet" className="h-6 px-1.5" onClick={add} keys={toKeyHint('Enter')}>
            {t('builder.add')}
          </Button>
          <Button tone="quiet" className="h-6 px-1.5" onClick={addCustomType}>
            {t('builder.addType')}
          </Button>
          <span className="flex-1" />
          <FieldTools isDisabled={currentField === undefined} {...tools} />
          <IconButton
            label={t('builder.note')}
            icon={<StickyNote size={14} aria-hidden />}
            disabled={currentField === undefined}
            onClick={() => {
              setNotedKey(keyOfPart(current));
              target.current = { key: keyOfPart(current), column: 'note' };
            }}
          />
        </div>
      )}
    </div>
  );
}
