import { toJson } from '@bufbuild/protobuf';

import { printLine } from '#commands/line/line.ts';
import type { Listing } from '#commands/model/host.ts';
import { fieldLabel, type Plan, type ValueText } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { stagesNote } from '#commands/run/stages.ts';
import type { Translate } from '#commands/text/message.ts';

import type { CliFailure } from './printer.ts';

/**
 * Characters that JSON leaves unescaped but a terminal would interpret: control characters, and characters that change
 * the reading order.
 */
const TERMINAL_CONTROLS = /[\u007f-\u009f\p{Bidi_Control}]/gu;

const escape = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

function writeJson(value: unknown, indent?: number): string {
  const withoutBigInt = (_key: string, item: unknown): unknown => (typeof item === 'bigint' ? item.toString() : item);
  return `${JSON.stringify(value, withoutBigInt, indent).replace(TERMINAL_CONTROLS, escape)}\n`;
}

/** Formats JSON with 64-bit numbers as strings, like the contract's JSON. */
export const jsonText = (value: unknown): string => writeJson(value, 2);

/** Formats JSON on a single line, otherwise like {@link jsonText}. */
export const jsonLine = (value: unknown): string => writeJson(value);

export function listingJson({ entity: name, items, total }: Listing, registry: Registry): unknown {
  const entity = registry.entity(name);
  return { total, items: entity ? items.map((item) => entity.json(item, toJson)) : items };
}

export function planJson(plan: Plan, translate: Translate, organization: string): unknown {
  const text = (value: ValueText): string | undefined => (typeof value === 'object' ? translate(value) : value);
  return {
    organization,
    summary: translate(plan.summary),
    count: plan.count,
    reversible: plan.reversible,
    changes: plan.changes.map(({ field, before, after, added, removed, ...change }) => ({
      ...change,
      ...(added || removed
        ? { added: (added ?? []).map(text), removed: (removed ?? []).map(text) }
        : { before: text(before), after: text(after) }),
      field: translate(fieldLabel(field)),
    })),
    notes: (plan.notes ?? []).map(translate),
    ...(plan.staged ? { stages: translate(stagesNote()) } : {}),
    ...(plan.sample === undefined ? {} : { sample: plan.sample }),
  };
}

export function resultJson(
  { invocation, outcome, inverse, organization, stopped }: CompletedRun,
  registry: Registry,
  translate: Translate,
): unknown {
  return {
    organization,
    command: printLine(invocation, registry),
    ...outcomeJson(outcome, translate),
    ...(stopped ? { stopped } : {}),
    ...(inverse ? { undo: inverse.map((item) => printLine(item, registry)) } : {}),
  };
}

export function undoResultJson(outcome: Outcome, organization: string, translate: Translate): unknown {
  return { organization, command: 'undo', ...outcomeJson(outcome, translate) };
}

/** Returns the JSON for a run that failed as a whole. Failures of individual items are in the `results` of a change. */
export function failureJson(code: string, failures: readonly CliFailure[]): unknown {
  const [first] = failures;
  return {
    error: {
      code: first?.code ?? code,
      message: failures.map((failure) => failure.message).join('\n'),
      ...(first?.argument ? { argument: first.argument } : {}),
    },
  };
}

function outcomeJson(outcome: Outcome, translate: Translate): object {
  return {
    ...(outcome.message ? { message: translate(outcome.message) } : {}),
    ...(outcome.results
      ? {
          results: outcome.results.map(({ id, label, failure, skipped }) => ({
            id,
            label,
            ...(failure ? { error: { code: failure.code, message: translate(failure.message) } } : {}),
            ...(skipped ? { skipped } : {}),
          })),
        }
      : {}),
    ...(outcome.reveal ? { reveal: { label: translate(outcome.reveal.label), value: outcome.reveal.value } } : {}),
    ...(outcome.data === undefined ? {} : { data: outcome.data }),
  };
}
