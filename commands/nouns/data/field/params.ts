import { p } from '#commands/model/params.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { formatNumber, MAX_DECIMALS, withSymbol } from '#commands/units/format.ts';
import { Field_Numeric_Format_RoundingMode as RoundingMode } from '#proto/gen/hiber/field_pb.ts';

import { AS_SENT, toFormat, UNITS, unitNamed, unitText } from './item.ts';

const DECIMALS = [AS_SENT, ...Array.from({ length: MAX_DECIMALS + 1 }, (_, count) => `${count}`)];

const optionText = (option: string): Message =>
  option === AS_SENT ? message('field:decimals.asSent') : message('field:decimals.number', { value: option });

/** Formats the number of decimals in words: `2 decimals`. */
export const decimalsText = (decimals: string): Message =>
  decimals === AS_SENT
    ? message('field:decimals.asSent')
    : message('field:decimals.count', { count: Number(decimals) });

const roundingText = (mode: string): Message => message(`field:rounding.${mode}`);

/** `Field.priority` is an int32. */
const MAX_PRIORITY = 2 ** 31 - 1;

/** Params shared by the create and edit commands. */
export const fieldParams = {
  displayName: p.text({ clears: true, maxLength: MAX_LENGTH.fieldName }),
  unit: p.choice(UNITS, { label: unitText }),
  decimals: p.choice(DECIMALS, { label: optionText }),
  rounding: p.choice(p.names(RoundingMode), { label: roundingText }),
  priority: p.number({ integer: true, min: 0, max: MAX_PRIORITY }),
};

/** A number to try a format with. It isn't stored. */
export const sampleParam = p.number({ min: -1e15, max: 1e15 });

const SAMPLE = 12.345678;

interface PreviewInput {
  readonly unit?: string | undefined;
  readonly decimals?: string | undefined;
  readonly rounding?: string | undefined;
  readonly sample?: number | undefined;
}

/** Formats a number as a field with this unit and format would: `12.345678 is shown as 12.35 bar`. */
export function createPreview({
  unit = '',
  decimals = AS_SENT,
  rounding = 'HALF_UP',
  sample = SAMPLE,
}: PreviewInput): Message {
  const symbol = unitNamed(unit)?.symbol ?? '';
  const text = withSymbol(formatNumber(sample, toFormat({ decimals, rounding })), symbol);
  return message('field:preview', { sample: String(sample), text });
}

/** Describes a format in words, for plans and for the list. */
export function formatText({ decimals, rounding }: { readonly decimals: string; readonly rounding: string }): Message {
  return decimals === AS_SENT
    ? message('field:decimals.asSent')
    : message('field:format', {
        decimals: message('field:decimals.count', { count: Number(decimals) }),
        rounding: roundingText(rounding),
      });
}
