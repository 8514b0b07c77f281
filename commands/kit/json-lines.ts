import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

import { printSteps, type Steps } from '#commands/text/field-path.ts';
import { visibleLine } from '#commands/text/visible.ts';

import type { ValueText } from './value-text.ts';

/** How to show the value at a path. */
export interface ValueLabel {
  readonly name: string;
  /** Returns the text of the value, and the symbol of its unit. Absent if the value is shown as it is. */
  readonly show?: (value: JsonValue) => ValueText;
}

/** Returns a value as one line of text, with the unit after `space`. A device can send any text. */
export function labeledText(value: JsonValue, label: Pick<ValueLabel, 'show'> | undefined, space: string): string {
  const { text, unit } = label?.show?.(value) ?? { text: `${value as string | number | boolean}`, unit: '' };
  return [visibleLine(text), unit].filter(Boolean).join(space);
}

const NO_LABELS: ReadonlyMap<string, ValueLabel> = new Map();

/**
 * Formats JSON for people, one line per value: `site_code: K12`, and `antenna › height: 3` for a nested value. Values
 * with labels come first.
 *
 * @param labels replace the keys of known values, by path: `Antenna height: 3 m`
 */
export function jsonLines(json: JsonObject | undefined, labels = NO_LABELS): string {
  const lines = toLines(json ?? {}, [], { names: [], isLabeled: false }, labels);
  const sortedLines = [...lines.filter(({ isLabeled }) => isLabeled), ...lines.filter(({ isLabeled }) => !isLabeled)];
  return sortedLines.map(({ text }) => text).join('\n');
}

/** The names of a value and of the values around it, from the nearest label on. */
interface Head {
  readonly names: readonly string[];
  readonly isLabeled: boolean;
}

interface Line {
  readonly text: string;
  readonly isLabeled: boolean;
}

function toLines(
  value: JsonValue,
  steps: Steps,
  parent: Head,
  labels: ReadonlyMap<string, ValueLabel>,
): readonly Line[] {
  const label = labels.get(printSteps(steps));
  const names = label ? [label.name] : [...parent.names, ...steps.slice(-1).map(nameOf).map(visibleLine)];
  const isLabeled = label !== undefined || parent.isLabeled;
  const line = (text: string): readonly Line[] => [{ text: `${names.join(' › ')}: ${text}`, isLabeled }];
  if (typeof value !== 'object' || value === null) {
    return line(value === null ? '–' : labeledText(value, label, ' '));
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return line(visibleLine(value.join(', ')) || '–');
  const parts: readonly (readonly [string | number, JsonValue])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  if (parts.length === 0 && steps.length > 0) return line('–');
  return parts.flatMap(([step, child]) => toLines(child, [...steps, step], { names, isLabeled }, labels));
}

/** People count from 1. */
const nameOf = (step: string | number): string => (typeof step === 'number' ? `${step + 1}` : step);
