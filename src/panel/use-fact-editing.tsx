import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

import { availability } from '#commands/run/availability.ts';
import type { Command } from '#commands/model/command.ts';
import type { Fact } from '#commands/model/column.ts';
import { editedParams } from '#commands/run/fact-edit.ts';
import { registry } from '#commands/nouns/all.ts';

import { useCommandContext } from '#src/run/use-context.ts';
import { useText } from '#src/i18n/i18n.ts';
import { FactEditor } from './FactEditor.tsx';

/** How facts are edited where they stand. */
export interface FactEditing {
  /** The id of the fact whose fields stand in its place. */
  readonly open: string | undefined;
  /** What the button of a fact says; undefined for one that this person cannot edit here and now. */
  readonly label: (fact: Fact<unknown>) => string | undefined;
  readonly start: (fact: Fact<unknown>) => void;
  readonly fields: (fact: Fact<unknown>) => ReactNode;
}

/** Marks the button of a fact, for the focus to return to. */
export const EDIT_MARK = 'data-edit-fact';

/** Editing the facts of one item in place, by the commands that they name; one at a time. `root` is what shows them. */
export function useFactEditing(
  entity: string,
  id: string,
  title: (fact: string) => string,
  root: RefObject<HTMLElement | null>,
): FactEditing {
  const text = useText();
  const context = useCommandContext();
  const [opened, setOpened] = useState<{ readonly item: string; readonly fact: string }>();
  // What was opened for one item is not for the next, nor when one comes back.
  if (opened && opened.item !== id) setOpened(undefined);
  const open = opened?.item === id ? opened.fact : undefined;
  const left = useRef<string>(undefined);
  useEffect(() => {
    const fact = left.current;
    left.current = open;
    // The form took the focus with it.
    if (fact === undefined || open !== undefined || document.activeElement !== document.body) return;
    root.current?.querySelector<HTMLElement>(`[${EDIT_MARK}="${fact}"]`)?.focus();
  }, [open, root]);

  const commandOf = ({ edit }: Fact<unknown>): Command | undefined => {
    const of = edit === undefined ? undefined : registry.command(edit);
    return of && context && availability(of, context).ok ? of : undefined;
  };
  return {
    open,
    label: (fact) => (commandOf(fact) ? text('panel.editFact', { title: title(fact.id) }) : undefined),
    start: (fact) => setOpened({ item: id, fact: fact.id }),
    fields: (fact) => {
      const of = commandOf(fact);
      if (!of) return null;
      return (
        <FactEditor
          key={`${entity} ${id} ${fact.id}`}
          command={of}
          id={id}
          names={editedParams(of, fact)}
          title={text('panel.editFact', { title: title(fact.id) })}
          onClose={() => setOpened(undefined)}
        />
      );
    },
  };
}
