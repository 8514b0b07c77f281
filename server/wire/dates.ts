import { create } from '@bufbuild/protobuf';
import { type Date as DateMessage, DateSchema } from '#proto/gen/hiber/base_pb.ts';
import { isServedTime, YEARS_SERVED } from './requests/times.ts';
import { invalidArgument } from './errors.ts';

/** @param text ISO 8601, `2018-01-01` */
export function presentDate(text: string): DateMessage {
  const [year, month, day] = text.split('-').map(Number);
  return create(DateSchema, { year, month, day, textual: text });
}

/**
 * The ints win if both are given (contract: Date).
 *
 * @param field what it is called in the request, for the sentence that refuses it
 * @returns ISO 8601, `2018-01-01`
 * @throws ConnectError INVALID_ARGUMENT for what is no day of the calendar
 */
export function readDate({ year, month, day, textual }: DateMessage, field: string): string {
  const padded = (value: number, length: number) => String(value).padStart(length, '0');
  const text =
    year === undefined ? (textual?.trim() ?? '') : `${padded(year, 4)}-${padded(month ?? 0, 2)}-${padded(day ?? 0, 2)}`;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  // The 31st of February is not the 3rd of March.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(text)) {
    throw invalidArgument(`${field} is not a date: "${text}". Write for example 2022-01-01.`);
  }
  if (!isServedTime(time.getTime())) throw invalidArgument(`${field} is out of range: dates are ${YEARS_SERVED}.`);
  return text;
}
