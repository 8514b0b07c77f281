// The rules for a webhook's settings and their error messages.
import { MAX_LENGTH, MAX_WARNING_PERIOD_S } from '#commands/text/lengths.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';
import { allEventTypes, permissionForEvent, visibleEventTypes } from '#server/events/visibility.ts';
import { AddressDeniedError, assertAllowed } from '#server/publishing/targets/webhook/addresses.ts';
import { reservedHeaders } from '#server/publishing/targets/webhook/call.ts';
import type { Scope } from '#server/session/scope.ts';
import { requireDistinct } from '#server/wire/distinct.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';

const MAX_URL_LENGTH = MAX_LENGTH.webhookUrl;
const MAX_TEXT_LENGTH = MAX_LENGTH.webhookText;
const MAX_HEADER_LENGTH = MAX_LENGTH.headerValue;
const MAX_HEADERS = 50;
/** A token as defined in RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The characters that HTTP/1.1 carries without encoding: visible Latin-1, spaces, and tabs. */
const HEADER_VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** Checks a webhook's URL and returns it normalized. */
export function checkUrl(text: string, allowLoopback: boolean): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidArgument('A webhook needs a URL to deliver to.');
  if (trimmed.length > MAX_URL_LENGTH) throw invalidArgument(`The URL is longer than ${MAX_URL_LENGTH} characters.`);
  if (!URL.canParse(trimmed)) throw invalidArgument("That isn't a URL. Enter a URL such as https://example.com/in.");
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalidArgument(`The URL starts with ${url.protocol}//. Use https:// or http://.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidArgument('The URL contains a user name or password. Put them in a custom header instead.');
  }
  try {
    assertAllowed(url, { allowLoopback });
  } catch (error) {
    if (error instanceof AddressDeniedError) throw invalidArgument(error.message);
    throw error;
  }
  return url.href;
}

export const checkDescription = (text: string): string =>
  readEnteredText(text, 'The description of a webhook', MAX_TEXT_LENGTH);

export function checkHeaders(headers: Readonly<Record<string, string>>, signatureHeader: string): void {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) throw invalidArgument(`A webhook can have at most ${MAX_HEADERS} custom headers.`);
  requireDistinct(
    entries,
    ([name]) => name.toLowerCase(),
    ([name]) => `The header ${name} is listed twice; capitals make no difference.`,
  );
  for (const [name, value] of entries) {
    checkHeaderName(name);
    if (name.toLowerCase() === signatureHeader.toLowerCase()) {
      throw invalidArgument(
        `The header ${name} carries the signature. Rename the custom header or the signature header.`,
      );
    }
    if (!HEADER_VALUE.test(value) || value.length > MAX_HEADER_LENGTH) {
      throw invalidArgument(
        `The value of the header ${name} is too long, or has line breaks or characters beyond Latin-1.`,
      );
    }
  }
}

export function checkHeaderName(name: string): void {
  if (!HEADER_NAME.test(name)) {
    throw invalidArgument(`"${name}" isn't a header name. Use letters, digits, and dashes.`);
  }
  if (reservedHeaders.has(name.toLowerCase()))
    throw invalidArgument(`The server sets the header ${name} itself. Remove it.`);
}

export function checkPercentage(percentage: number): void {
  if (!Number.isInteger(percentage) || percentage < 0 || percentage > 100) {
    throw invalidArgument(`The failure percentage ${percentage} isn't a whole number from 0 to 100.`);
  }
}

export function checkPeriod(seconds: number): void {
  if (seconds < 0 || seconds > MAX_WARNING_PERIOD_S)
    throw invalidArgument('The health warning period must be from 0 to 90 days.');
}

/** Rejects every id except 0, which stands for no certificate, because this server has no certificates. */
export function checkCertificate(id: bigint, organization: string): void {
  if (id !== 0n) throw notFound(`${organization} has no certificate with id ${id}.`);
}

/**
 * Prevents a webhook from sending events that its editor may not see (not specified in the contract). Rejects the types
 * of these events in `include`. If `include` is empty, adds all of them to `exclude`.
 */
export function limitToPermissions(caller: Scope, filter: IncludeExclude<EventType>): IncludeExclude<EventType> {
  for (const type of filter.include) {
    const permission = permissionForEvent(type);
    if (permission && !filter.exclude.includes(type)) caller.require(permission);
  }
  if (filter.include.length > 0) return filter;
  const visibleTypes = new Set(visibleEventTypes((permission) => caller.can(permission)));
  const hiddenTypes = allEventTypes.filter((type) => !visibleTypes.has(type) && !filter.exclude.includes(type));
  return { include: [], exclude: [...filter.exclude, ...hiddenTypes] };
}
