import { findExactMatches } from '#commands/kit/matching.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, UnknownValueError } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { loadAllPages, type ListResponse } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import type { ProcessPoint } from '#proto/gen/hiber/process_point_pb.ts';
import { ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';

/** The maximum number of process points suggested for a typed name. */
const MAX_SUGGESTIONS = 20;
/** The maximum number of suggestions in an error. */
const MAX_CANDIDATES = 5;

/** Lists the process points whose identifier, name, or description contains the text. */
function searchPoints(context: Context, text: string) {
  const search = text.trim() === '' ? [] : [text.trim()];
  return async (pagination: { size?: number; page?: number }): Promise<ListResponse<ProcessPoint>> => {
    const request = { organization: context.organization.id, selection: { search }, pagination };
    const response = await context.api(ProcessPointService).list(request, { signal: context.signal });
    return { items: response.processPoints, pagination: response.pagination };
  };
}

/** Suggests process points whose name contains the text. */
export async function suggestPoints(context: Context, text: string): Promise<readonly Suggestion[]> {
  const { items } = await searchPoints(context, text)({ size: MAX_SUGGESTIONS });
  return items.map(({ name, identifier, devices }) => ({
    value: name || identifier,
    label: name || identifier,
    count: devices.length,
  }));
}

/**
 * Returns the numbers of the devices that measure a process point now, which is named by its name or identifier.
 *
 * @throws UnknownValueError if there is no such point, or several
 * @throws CommandError if no device measures it, which the contract can't select
 */
export async function findPointDevices(value: string, context: Context): Promise<readonly string[]> {
  const found = await loadAllPages(searchPoints(context, value));
  const matches = findExactMatches(found, value, ({ identifier, name }) => [identifier, name]);
  if (matches.length === 0)
    throw unknownPoint(
      value,
      found.map(({ name }) => name),
    );
  if (matches.length > 1)
    throw ambiguousPoint(
      value,
      matches.map(({ identifier }) => identifier),
    );
  const numbers = matches[0]?.devices.map(({ number }) => number) ?? [];
  if (numbers.length === 0) throw new CommandError(message('device:filter.idlePoint', { value }));
  return numbers;
}

function unknownPoint(value: string, names: readonly string[]): UnknownValueError {
  const near = names.slice(0, MAX_CANDIDATES);
  const text =
    near.length > 0
      ? message('device:filter.unknownPointNear', { value, near: near.join(', ') })
      : message('device:filter.unknownPoint', { value });
  return new UnknownValueError(text, value, near);
}

function ambiguousPoint(value: string, identifiers: readonly string[]): UnknownValueError {
  const near = identifiers.slice(0, MAX_CANDIDATES);
  return new UnknownValueError(message('device:filter.severalPoints', { value, near: near.join(', ') }), value, near);
}
