/** What a webhook's settings must be, each with the sentence that refuses anything else. */
import { LONGEST, LONGEST_WARNING_PERIOD } from '#commands/text/lengths.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';
import { AddressRefused, assertAllowed } from '#server/publishing/targets/webhook/addresses.ts';
import { reservedHeaders } from '#server/publishing/targets/webhook/call.ts';
import { allEventTypes, permissionForEvent, visibleEventTypes } from '#server/events/visibility.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';

const longestUrl = LONGEST.webhookUrl;
const longestText = LONGEST.webhookText;
const MAX_HEADERS = 50;
const longestHeader = LONGEST.headerValue;
/** RFC 9110: token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What HTTP/1.1 carries without encoding: visible Latin-1, spaces and tabs. */
const HEADER_VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

/** @returns the URL in its normal form */
export function checkUrl(text: string, allowLoopback: boolean): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalidArgument('A webhook needs a URL to deliver to.');
  if (trimmed.length > longestUrl) throw invalidArgument(`The URL is longer than ${longestUrl} characters.`);
  if (!URL.canParse(trimmed)) throw invalidArgument('That is not a URL: write for example https://example.com/in.');
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalidArgument(`The URL starts with ${url.protocol}//; deliveries go to https:// or http:// only.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidArgument('The URL contains a user name or password; put them into a custom header instead.');
  }
  try {
    assertAllowed(url, { allowLoopback });
  } catch (error) {
    if (error instanceof AddressRefused) throw invalidArgument(error.message);
    throw error;
  }
  return url.href;
}

export function checkText(text: string, field: string): string {
  if (text.length > longestText) throw invalidArgument(`The ${field} is longer than ${longestText} characters.`);
  return text.trim();
}

export function checkHeaders(headers: Readonly<Record<string, string>>, signatureHeader: string): void {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) throw invalidArgument(`A webhook can have ${MAX_HEADERS} custom headers.`);
  for (const [name, value] of entries) {
    checkHeaderName(name);
    if (name.toLowerCase() === signatureHeader.toLowerCase()) {
      throw invalidArgument(`The header ${name} carries the signature; choose another name for one of the two.`);
    }
    if (!HEADER_VALUE.test(value) || value.length > longestHeader) {
      throw invalidArgument(
        `The value of the header ${name} is too long, or has line breaks or characters beyond Latin-1.`,
      );
    }
  }
}

export function checkHeaderName(name: string): void {
  if (!HEADER_NAME.test(name)) {
    throw invalidArgument(`"${name}" is not a header name: use letters, digits and dashes.`);
  }
  if (reservedHeaders.has(name.toLowerCase())) throw invalidArgument(`The header ${name} is set by the server itself.`);
}

export function checkPercentage(percentage: number): void {
  if (!Number.isInteger(percentage) || percentage < 0 || percentage > 100) {
    throw invalidArgument(`The failure percentage ${percentage} is not a whole number from 0 to 100.`);
  }
}

export function checkPeriod(seconds: number): void {
  if (seconds < 0 || seconds > LONGEST_WARNING_PERIOD)
    throw invalidArgument('The health warning period is from 0 to 90 days.');
}

/** Certificates are not served here, so there is none to name; 0 is none. */
export function checkCertificate(id: bigint, organization: string): void {
  if (id !== 0n) throw notFound(`${organization} has no certificate with id ${id}.`);
}

/**
 * A webhook must not tell its editor's receiver what the editor may not see. Whether a missing permission rejects or
 * silences is not stated: a type that is named is refused, and of an open filter the types are left out that the
 * editor may not see.
 */
export function withinPermissions(caller: Scope, filter: IncludeExclude<EventType>): IncludeExclude<EventType> {
  for (const type of filter.include) {
    const permission = permissionForEvent(type);
    if (permission && !filter.exclude.includes(type)) caller.require(permission);
  }
  if (filter.include.length > 0) return filter;
  const visible = new Set(visibleEventTypes((permission) => caller.can(permission)));
  const hidden = allEventTypes.filter((type) => !visible.has(type) && !filter.exclude.includes(type));
  return { include: [], exclude: [...filter.exclude, ...hidden] };
}
