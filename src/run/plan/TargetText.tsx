import { useEffect, useMemo, useState } from 'react';

import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { isAbort } from '#commands/model/errors.ts';
import { isSelection, type Target } from '#commands/model/target.ts';
import { countTarget, lookUp, referencedId } from '#commands/run/lookup.ts';
import { message, type Message } from '#commands/text/message.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';

interface TargetTextProps {
  readonly entity: AnyEntity;
  readonly target: Target;
  /** The text in the line, shown until the count is known. */
  readonly line: string;
  readonly context: Context;
}

/** Describes the target of a command: the name of a single item, "3 devices", or "214 in error". */
export function TargetText({ entity, target, line, context }: TargetTextProps) {
  return useTargetText(entity, target, context) ?? line;
}

interface ReferenceTextProps {
  readonly entity: AnyEntity;
  readonly value: string;
  readonly line: string;
  readonly context: Context;
}

/** Shows the name of the item that an argument refers to by its id, or else the text in the line. */
export function ReferenceText({ entity, value, line, context }: ReferenceTextProps) {
  return useReferenceText(entity, value, context) ?? line;
}

/** Returns the name of the item that an argument refers to by its id. Undefined for other arguments. */
export function useReferenceText(entity: AnyEntity, value: string | undefined, context: Context): string | undefined {
  const id = value === undefined ? undefined : referencedId(value);
  const target = useMemo(() => (id === undefined ? undefined : { ids: [id] }), [id]);
  return useTargetText(entity, target, context);
}

function useTargetText(entity: AnyEntity, target: Target | undefined, context: Context): string | undefined {
  const translate = useTranslate();
  const [description, setDescription] = useState<string>();
  useEffect(() => {
    if (!target) return undefined;
    const abort = new AbortController();
    describeTarget(entity, target, { ...context, signal: abort.signal }).then(
      (result) => {
        if (!abort.signal.aborted) setDescription(translate(result));
      },
      (error: unknown) => {
        // The plan reports the error. The text of the line stays.
        if (!isAbort(error)) report(error);
      },
    );
    return () => abort.abort();
  }, [entity, target, context, translate]);
  return target && description;
}

async function describeTarget(entity: AnyEntity, target: Target, context: Context): Promise<Message> {
  const [id, ...otherIds] = 'ids' in target ? target.ids : [];
  if (id !== undefined && otherIds.length === 0) {
    const [item] = await entity.byIds(context, [id]);
    return message('core:target.item', { name: item === undefined ? id : fullName(entity, item) });
  }
  if ('named' in target) {
    const { items } = await lookUp(entity, target, context);
    return items.length === 1
      ? message('core:target.item', { name: fullName(entity, items[0]) })
      : entityLabels.count(entity, items.length);
  }
  const { focus } = context;
  const isFocus =
    focus?.count !== undefined && (isSelection(target) || JSON.stringify(target) === JSON.stringify(focus.target));
  if (isFocus && focus.name && focus.target && 'query' in focus.target) return focus.name;
  return entityLabels.count(entity, isFocus ? (focus.count ?? 0) : await countTarget(entity, target, context));
}

/** Returns the short name, as in the status line, and the label: `CFC3 C7B6 Annulus A, Merlin 8`. */
function fullName(entity: AnyEntity, item: unknown): string {
  const short = entity.shortLabel?.(item);
  const label = entity.label(item) || entity.id(item);
  return short === undefined || short === label ? label : `${short} ${label}`;
}
