import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorState, RangeSetBuilder, StateEffect, StateField, type Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

import type { LineChange } from '#commands/nouns/data/parser/bench/line-diff.ts';
import type { LineRange } from '#commands/nouns/data/parser/definition-lines.ts';

// The text editor for a definition. Tab moves the focus out of it, as in any field.

/** The marks in the text. */
export interface Marks {
  readonly error?: { readonly line: number; readonly text: string } | undefined;
  /** The lines of the active field, and the number of its color. */
  readonly active?: { readonly lines: LineRange; readonly color: number } | undefined;
  /** Lines that differ from the saved definition. */
  readonly changed?: readonly LineRange[];
}

const setMarks = StateEffect.define<Marks>();

class ErrorText extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: ErrorText): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('div');
    element.className = 'cm-error-text';
    element.textContent = this.text;
    return element;
  }
}

/** The marks move with the text until the next ones arrive. */
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    const effect = transaction.effects.find((candidate) => candidate.is(setMarks));
    return effect ? decorate(transaction.state, effect.value) : decorations.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate({ doc }: EditorState, { error, active, changed = [] }: Marks): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const isIn = (line: number, range: LineRange | undefined) => range && line >= range.from && line <= range.to;
  let next = 0;
  for (let number = 1; number <= doc.lines; number++) {
    while ((changed[next]?.to ?? Infinity) < number) next++;
    const isError = error?.line === number;
    const isActive = isIn(number, active?.lines);
    const isChanged = isIn(number, changed[next]);
    if (!isError && !isActive && !isChanged) continue;
    const line = doc.line(number);
    const names = [isActive && 'cm-field-line', isChanged && 'cm-changed-line', isError && 'cm-error-line'];
    const attributes: Record<string, string> =
      isActive && active ? { style: `--field: var(--series-${active.color})` } : {};
    builder.add(line.from, line.from, Decoration.line({ class: names.filter(Boolean).join(' '), attributes }));
    if (isError) {
      builder.add(line.to, line.to, Decoration.widget({ widget: new ErrorText(error.text), block: true, side: 1 }));
    }
  }
  return builder.finish();
}

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.comment], color: 'var(--ink-3)' },
  { tag: [tags.string, tags.content, tags.number, tags.bool], color: 'var(--ink-1)', fontWeight: '500' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-2)' },
]);

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  /** The position of the caret in the text. */
  readonly caret: number;
  readonly label: string;
  readonly readOnly: boolean;
  readonly onChange: (text: string, caret: number) => void;
  /** Receives the line of the caret when the user moves it. */
  readonly onLineChange: (line: number) => void;
}

export interface Editor {
  setText(text: string): void;
  mark(marks: Marks): void;
  /** Moves the caret to a line and focuses the editor. */
  goTo(line: number): void;
  /** Brings a line into view without moving the caret. */
  reveal(line: number): void;
  focus(): void;
  hasFocus(): boolean;
  destroy(): void;
}

export function createEditor({ parent, text, caret, label, readOnly, onChange, onLineChange }: EditorOptions): Editor {
  const extensions: Extension[] = [
    lineNumbers(),
    history(),
    drawSelection(),
    indentUnit.of('  '),
    keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap]),
    yaml(),
    syntaxHighlighting(highlighting),
    marks,
    // Editable content is focusable without a tab index, but accessibility checkers want one.
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', tabindex: '0' }),
    EditorState.readOnly.of(readOnly),
    EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
      if (docChanged) onChange(state.doc.toString(), state.selection.main.head);
      const isUserEvent = transactions.some(
        (transaction) => transaction.isUserEvent('select') || transaction.isUserEvent('input'),
      );
      if (selectionSet && isUserEvent) onLineChange(state.doc.lineAt(state.selection.main.head).number);
    }),
  ];
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: text, selection: { anchor: Math.min(caret, text.length) }, extensions }),
  });
  const positionOf = (line: number): number =>
    view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines)).from;
  return {
    setText(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    mark(next) {
      view.dispatch({ effects: setMarks.of(next) });
    },
    goTo(line) {
      view.dispatch({ selection: { anchor: positionOf(line) }, scrollIntoView: true });
      view.focus();
    },
    reveal(line) {
      view.dispatch({ effects: EditorView.scrollIntoView(positionOf(line), { y: 'nearest', yMargin: 36 }) });
    },
    focus: () => view.focus(),
    hasFocus: () => view.hasFocus,
    destroy: () => view.destroy(),
  };
}

/**
 * Returns the lines of a text that differ from another. Where lines were only removed, the line after them counts, or
 * the last one.
 */
export function changedLines(changes: readonly LineChange[], text: string): readonly LineRange[] {
  const lastLine = text.split('\n').length;
  return changes.map(({ newStart, added }) => {
    const from = Math.min(newStart + 1, lastLine);
    return { from, to: Math.max(from, newStart + added) };
  });
}
