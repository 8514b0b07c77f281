import type { Args, Invocation } from '#commands/model/invocation.ts';
import type { Change } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Message } from '#commands/text/message.ts';

import type { CompletedRun } from './completed-run.ts';
import { changedSomething } from './history.ts';
import { storableStep } from './storable-args.ts';

/** The items that have the same value in a field after a change, or the same additions to and removals from a list. */
interface ResultingValues extends Pick<Change, 'field' | 'after' | 'added' | 'removed'> {
  readonly ids: readonly string[];
}

/** A completed run as JSON, for storage after the process or page has ended. Contains no secrets. */
export interface StoredChange {
  readonly organization: string;
  readonly command: string;
  /** Absent if the change can be undone but not repeated. */
  readonly args?: Args;
  readonly summary?: Message;
  /** The message of its outcome, which an undo must not repeat. */
  readonly message?: Message;
  readonly inverse?: readonly Invocation[];
  /** Absent if it didn't fit into the storage. Undo then can't detect later changes by someone else. */
  readonly left?: readonly ResultingValues[];
  /** False for a run that undo skips, because the server rejected everything or there was nothing to change. */
  readonly changed: boolean;
  readonly harmless?: boolean;
  readonly interrupted?: boolean;
  readonly recordId?: string;
}

export function toStoredChange(completedRun: CompletedRun, registry: Pick<Registry, 'command'>): StoredChange {
  const { invocation, outcome, inverse, organization, summary, changes, harmless, interrupted, recordId } =
    completedRun;
  return {
    organization,
    command: invocation.id,
    // `run` has already replaced the secrets with prompts.
    args: invocation.args,
    ...(summary ? { summary } : {}),
    ...(outcome.message ? { message: outcome.message } : {}),
    ...(inverse ? { inverse: inverse.map((step) => storableStep(step, registry)) } : {}),
    ...(changes ? { left: groupByValue(changes) } : {}),
    changed: changedSomething(completedRun),
    ...(harmless ? { harmless } : {}),
    ...(interrupted ? { interrupted } : {}),
    ...(recordId === undefined ? {} : { recordId }),
  };
}

export function restoreRun(stored: StoredChange): CompletedRun {
  const {
    command,
    args = {},
    organization,
    summary,
    message,
    inverse,
    left,
    changed,
    harmless,
    interrupted,
    recordId,
  } = stored;
  const changes = left?.flatMap(({ ids, ...values }) => ids.map((id): Change => ({ id, label: id, ...values })));
  return {
    invocation: { id: command, args },
    outcome: { ...(changed ? {} : { results: [] }), ...(message ? { message } : {}) },
    inverse,
    organization,
    summary,
    changes,
    ...(harmless ? { harmless } : {}),
    ...(interrupted ? { interrupted } : {}),
    ...(recordId === undefined ? {} : { recordId }),
  };
}

/**
 * Returns shorter versions for limited storage. The first cannot detect later changes, the second also cannot be
 * repeated, and the third cannot even be undone.
 */
export function smallerVersions(stored: StoredChange): readonly StoredChange[] {
  const { left: _left, ...unchecked } = stored;
  const { args: _args, ...undoable } = unchecked;
  const { inverse: _inverse, ...named } = undoable;
  return [unchecked, undoable, named];
}

/** Groups items by field and value, because a change to a fleet can set the same value 100,000 times. */
function groupByValue(changes: readonly Change[]): readonly ResultingValues[] {
  const groups = new Map<string, ResultingValues & { readonly ids: string[] }>();
  for (const { id, field, after, added, removed } of changes) {
    const values = { field, ...(added || removed ? { added, removed } : { after }) };
    const key = JSON.stringify(values);
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { ...values, ids: [id] });
  }
  return [...groups.values()];
}

export function isStoredChange(value: unknown): value is StoredChange {
  if (!isObject(value)) return false;
  const { organization, command, args, summary, message, inverse, left, changed, recordId } = value;
  return (
    typeof organization === 'string' &&
    typeof command === 'string' &&
    typeof changed === 'boolean' &&
    (recordId === undefined || typeof recordId === 'string') &&
    (args === undefined || isObject(args)) &&
    (summary === undefined || isMessage(summary)) &&
    (message === undefined || isMessage(message)) &&
    isList(inverse, (item) => isObject(item) && typeof item['id'] === 'string' && isObject(item['args'])) &&
    isList(left, isResultingValues)
  );
}

function isResultingValues(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { field, ids, added, removed } = value;
  return isMessage(field) && Array.isArray(ids) && isList(added, isText) && isList(removed, isText);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isMessage = (value: unknown): boolean => isObject(value) && typeof value['key'] === 'string';

const isText = (value: unknown): boolean => typeof value === 'string' || isMessage(value);

const isList = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isItem));
