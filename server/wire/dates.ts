import { create } from '@bufbuild/protobuf';

import { type Date as DateMessage, DateSchema } from '#proto/gen/hiber/base_pb.ts';

import { invalidArgument } from './errors.ts';
import { isSupportedTime, SUPPORTED_YEARS } from './requests/times.ts';

/**
 * Presents a date.
 *
 * @param text in ISO 8601, such as `2018-01-01`
 */
export function presentDate(text: string): DateMessage {
  const [year, month, day] = text.split('-').map(Number);
  return create(DateSchema, { year, month, day, textual: text });
}

/**
 * Reads a date. The integer fields take precedence over the text (contract: Date).
 *
 * @param field the request field's name, for the error
 * @returns ISO 8601, such as `2018-01-01`
 * @throws ConnectError INVALID_ARGUMENT for a day that does not exist
 */
export function readDate({ year, month, day, textual }: DateMessage, field: string): string {
  const pad = (value: number, length: number) => String(value).padStart(length, '0');
  const text =
    year === undefined ? (textual?.trim() ?? '') : `${pad(year, 4)}-${pad(month ?? 0, 2)}-${pad(day ?? 0, 2)}`;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  // Date rolls February 31 over to March 3.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(text)) {
    throw invalidArgument(`"${field}" isn't a date: "${text}". Use a format like 2022-01-01.`);
  }
  if (!isSupportedTime(time.getTime()))
    throw invalidArgument(`"${field}" is out of range. Dates must be ${SUPPORTED_YEARS}.`);
  return text;
}
